/// What a partial update does to a field: nothing was sent, null was sent, or a value.
package enum FieldChange<Value> {
  case keep
  case clear
  case set(Value)
}

extension FieldChange: Equatable where Value: Equatable {}
extension FieldChange: Sendable where Value: Sendable {}
