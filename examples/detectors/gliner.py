#!/usr/bin/env python3
"""A detector for netctl btdt that runs a GLiNER model on this machine.

    pip install gliner
    netctl config set btdt.detector "python3 gliner.py urchade/gliner_multi_pii-v1"

Each line on standard input is {"path", "text", "language"}; each line on standard
output is the list of what was found in that text. Offsets count code points, as
Python does.
"""
import json
import sys

from gliner import GLiNER

# Labels for the model, and the types that they are for netctl.
LABELS = {"person": "NAME", "email": "EMAIL", "phone number": "PHONE", "street address": "ADDRESS",
          "date of birth": "DOB", "passport number": "NATIONAL_ID", "bank account": "FINANCIAL",
          "insurance number": "POLICY_REF", "medical condition": "MEDICAL", "license plate": "VEHICLE"}

model = GLiNER.from_pretrained(sys.argv[1] if len(sys.argv) > 1 else "urchade/gliner_multi_pii-v1")
for line in sys.stdin:
    text = json.loads(line)["text"]
    found = model.predict_entities(text, list(LABELS), threshold=0.5)
    print(json.dumps([{"entity_type": LABELS[f["label"]], "start": f["start"], "end": f["end"],
                       "score": round(float(f["score"]), 3)} for f in found]), flush=True)
