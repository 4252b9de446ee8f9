import Postgres
import ServiceKit
import Testing

@Suite struct ConnectionStringTests {
  @Test func hostsAndDatabaseAreReadFromAURL() throws {
    let string = try ConnectionString(Secret("postgresql://u:p@a:1,b:2/db?target_session_attrs=primary"))
    #expect(string.hosts == ["a", "b"])
    #expect(string.database == "db")
    #expect(!string.isLocal)
  }

  @Test(arguments: [
    "host=/run/postgresql", "host=localhost", "postgresql://127.0.0.1/x", "hostaddr=::1", "dbname=x",
  ])
  func thisMachineIsLocal(_ conninfo: String) throws {
    #expect(try ConnectionString(Secret(conninfo)).isLocal)
  }

  @Test func oneDistantHostAmongSeveralIsNotLocal() throws {
    #expect(try !ConnectionString(Secret("host=localhost,db.example.com")).isLocal)
    #expect(try !ConnectionString(Secret("host=localhost hostaddr=192.0.2.1")).isLocal)
  }

  @Test func anotherDatabaseKeepsEverythingElseAndItsQuoting() throws {
    let string = try ConnectionString(Secret(#"host=/tmp dbname=a password='it\'s \\ so'"#)).with(database: "b c")
    let again = try ConnectionString(string.conninfo)
    #expect(again.database == "b c")
    #expect(again.hosts == ["/tmp"])
    #expect(string.conninfo.exposed.contains(#"password='it\'s \\ so'"#))
  }

  @Test func nonsenseIsRefusedWithoutBeingQuoted() {
    let error = #expect(throws: PostgresError.self) { try ConnectionString(Secret("hunter2 = ' ")) }
    #expect(error.map { !String(reflecting: $0).contains("hunter2") } == true)
  }

  @Test func printingShowsNothing() throws {
    let string = try ConnectionString(Secret("host=/tmp password=hunter2"))
    var dumped = ""
    dump(string, to: &dumped)
    #expect(!"\(string) \(dumped)".contains("hunter2"))
  }
}
