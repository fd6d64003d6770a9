"""What is known of items that are no number to libsv: records, dates, strings. Their memory alone does not tell."""

import warnings

from ._dtype import numpy

# Formats of the buffer protocol that are numbers, or bytes without a meaning.
_PLAIN_FORMATS = set("?bBhHiIlLqQnNefdx") | {"Zf", "Zd", "Zg"}


def identity(exporter, itemsize):
    """Something that equals the same of other items of this size only where they are alike; None: nothing is known.

    It is a numpy.dtype where NumPy is there, whichever protocol tells: so the same items are alike however they came.
    """
    for ask in (_dtype, _interface, _buffer):
        found = ask(exporter, itemsize)
        if found is not None:
            return found
    return None


def _known(dtype, itemsize):
    """The dtype, unless it is of other items, of numbers (which somebody chose to see as bytes), or of raw bytes."""
    if getattr(dtype, "itemsize", None) != itemsize:
        return None
    if numpy is not None and isinstance(dtype, numpy.dtype):
        raw = dtype.kind == "V" and dtype.fields is None and dtype.subdtype is None and dtype.type is numpy.void
        number = dtype.isbuiltin == 1 and dtype.kind in "biufc" and dtype.char not in "gG" and dtype.isnative
        return None if raw or number else dtype
    return dtype


def _dtype(exporter, itemsize):
    try:
        dtype = exporter.dtype
    except MemoryError:
        raise
    except Exception:
        return None
    return _known(dtype, itemsize)


def _interface(exporter, itemsize):
    try:
        told = exporter.__array_interface__
        typestr, descr = told["typestr"], told.get("descr")
    except MemoryError:
        raise
    except Exception:
        return None
    fields = descr if typestr[1:2] == "V" and descr not in (None, [("", typestr)]) else None
    if numpy is not None:
        try:
            return _known(numpy.dtype(typestr if fields is None else fields), itemsize)
        except (TypeError, ValueError):
            pass
    if typestr[1:2] == "V" and fields is None or typestr[1:2] in "biufc":
        return None
    return typestr if fields is None else f"{typestr} {fields}"


def _buffer(exporter, itemsize):
    try:
        lent = memoryview(exporter)
    except MemoryError:
        raise
    except Exception:
        return None
    with lent:
        if lent.itemsize != itemsize or lent.format.lstrip("@=<>!0123456789") in _PLAIN_FORMATS:
            return None
        if numpy is not None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return _known(numpy.asarray(lent).dtype, itemsize)
            except (TypeError, ValueError, RuntimeError):  # NumPy's own text may be none for NumPy
                pass
        return lent.format
