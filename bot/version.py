"""The one place that states our version."""

VERSION = "0.1.0"
