print("bolrach")
