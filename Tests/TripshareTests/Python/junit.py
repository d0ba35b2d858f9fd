"""Reads a JUnit report with junitparser and with the viewer junit2html, and prints what they read as one JSON object.

The argument is the report.
"""

import html
import json
import sys

from junit2htmlreport.parser import Junit
from junitparser import JUnitXml, Properties

report = JUnitXml.fromfile(sys.argv[1])
suites = list(report)
viewer = Junit(sys.argv[1])
page = html.unescape(viewer.html())
print(
    json.dumps(
        {
            "tests": report.tests,
            "failures": report.failures,
            "skipped": report.skipped,
            "suites": len(suites),
            "suiteProperties": {p.name: p.value for p in suites[0].properties()},
            "cases": [
                {
                    "name": case.name,
                    "classname": case.classname,
                    "time": case.time,
                    "result": type(case.result[0]).__name__ if case.result else "Passed",
                    "message": case.result[0].message if case.result else "",
                    "properties": {p.name: p.value for p in case.child(Properties)},
                    "output": case.system_out,
                }
                for case in suites[0]
            ],
            "shown": [
                {
                    "name": case.name,
                    "outcome": case.outcome(),
                    "message": case.failure_msg,
                    "output": case.stdout,
                    "isOnPage": case.name in page,
                }
                for suite in viewer.suites
                for case in suite.all()
            ],
        }
    )
)
