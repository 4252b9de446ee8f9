// TestSupport: placeholder until its first file lands.
