"""A child that stays: a line of JSON in, a line of JSON out."""

import json
import sys

import model

for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "value": model.predict(request["features"])}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
