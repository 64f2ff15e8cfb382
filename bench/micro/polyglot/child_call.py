"""A child for each call: the request on standard input, the reply on standard output."""

import json
import sys

import model

json.dump(model.predict(json.load(sys.stdin)["features"]), sys.stdout)
