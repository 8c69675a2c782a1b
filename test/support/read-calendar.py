"""Reads a calendar with libical and python-icalendar. Prints what each of them read as JSON: uid, title, start."""

import ctypes
import json
import sys

import icalendar


class Time(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in "year month day hour minute second is_date is_daylight".split()]
    _fields_.append(("zone", ctypes.c_void_p))


libical = ctypes.CDLL("libical.so.3")
for name, result, arguments in [
    ("icalparser_parse_string", ctypes.c_void_p, [ctypes.c_char_p]),
    ("icalrestriction_check", ctypes.c_int, [ctypes.c_void_p]),
    ("icalcomponent_count_errors", ctypes.c_int, [ctypes.c_void_p]),
    ("icalcomponent_get_first_component", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int]),
    ("icalcomponent_get_next_component", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int]),
    ("icalcomponent_string_to_kind", ctypes.c_int, [ctypes.c_char_p]),
    ("icalcomponent_get_uid", ctypes.c_char_p, [ctypes.c_void_p]),
    ("icalcomponent_get_summary", ctypes.c_char_p, [ctypes.c_void_p]),
    ("icalcomponent_get_dtstart", Time, [ctypes.c_void_p]),
    ("icaltime_as_timet_with_zone", ctypes.c_long, [Time, ctypes.c_void_p]),
]:
    function = getattr(libical, name)
    function.restype = result
    function.argtypes = arguments


def by_libical(data):
    calendar = libical.icalparser_parse_string(data)
    libical.icalrestriction_check(calendar)
    errors = libical.icalcomponent_count_errors(calendar)
    kind = libical.icalcomponent_string_to_kind(b"VEVENT")
    events = []
    event = libical.icalcomponent_get_first_component(calendar, kind)
    while event:
        start = libical.icalcomponent_get_dtstart(event)
        events.append(
            {
                "uid": libical.icalcomponent_get_uid(event).decode(),
                "title": libical.icalcomponent_get_summary(event).decode(),
                "start": None if start.is_date else libical.icaltime_as_timet_with_zone(start, start.zone),
            }
        )
        event = libical.icalcomponent_get_next_component(calendar, kind)
    return {"errors": errors, "events": events}


def by_python(data):
    events = []
    for event in icalendar.Calendar.from_ical(data).walk("VEVENT"):
        start = event["DTSTART"].dt
        events.append(
            {
                "uid": str(event["UID"]),
                "title": str(event["SUMMARY"]),
                "start": int(start.timestamp()) if hasattr(start, "timestamp") else None,
            }
        )
    return {"errors": 0, "events": events}


content = open(sys.argv[1], "rb").read()
json.dump({"libical": by_libical(content), "icalendar": by_python(content)}, sys.stdout)
