"""The same service in Python alone: FastAPI on uvicorn."""

from fastapi import FastAPI
from pydantic import BaseModel

import model


class Request(BaseModel):
    features: list[float]


app = FastAPI()


@app.post("/predict")
def predict(request: Request):
    return model.predict(request.features)


@app.post("/predict-async")
async def predict_async(request: Request):
    return model.predict(request.features)
