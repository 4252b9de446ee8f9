// APNs: placeholder until its first file lands.
