internal import CLinux
internal import Glibc

/// An exclusive lock on a cluster's directory for as long as the value lives: whoever holds it may take any server found
/// running there for an orphan.
///
/// Owned by the cluster's keeper thread. The kernel releases it when the process ends, however that happens.
struct ClusterLock: ~Copyable {
  private let descriptor: Int32

  init(directory: String) throws(EmbeddedPostgresError) {
    let path = directory + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileSystem.failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw EmbeddedPostgresError(
        .inUse, "another process runs the database in \(directory); stop it, or choose another directory")
    }
  }

  deinit { close(descriptor) }
}
