// HTTP2Tests: placeholder until its first file lands.
