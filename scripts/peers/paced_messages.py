"""Posts single messages at a steady pace over kept connections and prints half of the median time a POST took, as JSON.

Usage: paced_messages.py API KEY APP PER_SECOND SECONDS
The time from the client's send to the server's commit is not in the database; half a POST is a fair upper estimate of it.
"""

import http.client
import json
import statistics
import sys
import threading
import time
from urllib.parse import urlsplit

api, key, app, per_second, seconds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
threads, took, lock = 8, [], threading.Lock()
body = json.dumps({"app_id": app, "target": {"type": "user", "id": "user_1"}, "title": "Hello"})
headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


def post(offset: int) -> None:
    connection = http.client.HTTPConnection(urlsplit(api).netloc, timeout=10)
    begin, mine = time.monotonic() + offset / per_second, []
    for number in range(per_second * seconds // threads):
        time.sleep(max(0.0, begin + number * threads / per_second - time.monotonic()))
        start = time.monotonic()
        connection.request("POST", "/push/v1/messages", body, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 202, answer.status
        mine.append(time.monotonic() - start)
    with lock:
        took.extend(mine)


workers = [threading.Thread(target=post, args=(offset,)) for offset in range(threads)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(json.dumps({"posts": len(took), "half_post_ms": round(statistics.median(took) * 500, 2)}))
