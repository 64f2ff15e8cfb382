"""What the routes call: a model that costs next to nothing, so that the way to it is what is measured."""

WEIGHTS = (0.2, -0.4, 0.1, 0.7)


def predict(features):
    score = sum(weight * feature for weight, feature in zip(WEIGHTS, features))
    return {"score": score, "label": "yes" if score > 0 else "no"}


def nothing():
    return None


def busy(seconds):
    import time

    end = time.perf_counter() + seconds
    count = 0
    while time.perf_counter() < end:
        count += 1
    return count
