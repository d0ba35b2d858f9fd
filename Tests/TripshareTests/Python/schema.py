"""Validates YAML files with a JSON Schema and prints a JSON list of booleans.

The arguments are the schema and the files.
"""

import json
import sys

import jsonschema
import yaml

with open(sys.argv[1]) as file:
    schema = json.load(file)
validator = jsonschema.Draft7Validator(schema)
jsonschema.Draft7Validator.check_schema(schema)
results = []
for name in sys.argv[2:]:
    with open(name) as file:
        results.append(validator.is_valid(yaml.safe_load(file)))
print(json.dumps(results))
