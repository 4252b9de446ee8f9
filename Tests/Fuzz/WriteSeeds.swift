import Glibc

/// Writes one file per probe, as the fuzzer reads them, into the directory named by the only argument.
@main
enum WriteSeeds {
  static func main() {
    let directory = CommandLine.arguments[1]
    for (number, probe) in (Probe.table + Probe.refused + Probe.accepted).enumerated() {
      guard let file = fopen("\(directory)/probe-\(number)", "w") else { exit(1) }
      // Cut in the middle.
      let cut = probe.bytes.count / 2
      let seed = [UInt8(cut >> 8 & 0xff), UInt8(cut & 0xff)] + probe.bytes
      guard fwrite(seed, 1, seed.count, file) == seed.count, fclose(file) == 0 else { exit(1) }
    }
  }
}
