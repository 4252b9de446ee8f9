/// A customer of the service: owns apps.
package enum AccountKind: IDKind { package static let prefix: StaticString = "acc" }
/// One app of an account: the tenant. Every row of tenant data names it.
package enum AppKind: IDKind { package static let prefix: StaticString = "app" }
/// An API key's public name; the secret is not part of it.
package enum APIKeyKind: IDKind { package static let prefix: StaticString = "key" }
/// One copy of an app on one device.
package enum InstallationKind: IDKind { package static let prefix: StaticString = "ins" }
/// One message, whoever it is aimed at.
package enum MessageKind: IDKind { package static let prefix: StaticString = "msg" }
/// A slice of a message's audience: the unit of claiming.
package enum BatchKind: IDKind { package static let prefix: StaticString = "bat" }
/// One start of one worker process; never used again.
package enum WorkerKind: IDKind { package static let prefix: StaticString = "wrk" }

package typealias AccountID = ID<AccountKind>
package typealias AppID = ID<AppKind>
package typealias APIKeyID = ID<APIKeyKind>
package typealias InstallationID = ID<InstallationKind>
package typealias MessageID = ID<MessageKind>
package typealias BatchID = ID<BatchKind>
package typealias WorkerID = ID<WorkerKind>
