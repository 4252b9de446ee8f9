// TransportTests: placeholder until its first file lands.
