"""Drives a manager with the types that quicktype makes of the OpenAPI document: submits a job, lists it, follows it until
it runs, and cancels it. scripts/clients generates the module rest and runs it: main.py ADDRESS TOKEN"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

import rest


class Client:
    """Sends requests to a manager, and reads its answers as the types of the document."""

    def __init__(self, address, token):
        self.address, self.token = address, token

    def open(self, method, path, body=None, **query):
        """Returns the answer, to be read."""
        url = f"{self.address}{path}?{urllib.parse.urlencode(query, doseq=True)}"
        data = None if body is None else json.dumps(body.to_dict()).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60)

    def ask(self, kind, method, path, body=None, **query):
        """Returns the answer as a value of the kind."""
        with self.open(method, path, body, **query) as answer:
            return kind.from_dict(json.load(answer))

    def follow(self, kind, **query):
        """Returns the first event of the kind."""
        with self.open("GET", "/v1/events", **query) as stream:
            for line in stream:
                data = json.loads(line[5:]) if line.startswith(b"data:") else {}
                if data.get("kind") == kind:
                    return rest.Event.from_dict(data)
        raise EOFError(f"the events ended before {kind}")


def refused(client, job):
    """Cancels an ended job, which must be refused in the form that the document describes."""
    try:
        client.open("DELETE", f"/v1/jobs/{job}")
    except urllib.error.HTTPError as error:
        problem = rest.Problem.from_dict(json.load(error))
        assert (error.code, problem.code) == (409, "conflict"), problem
        return
    raise AssertionError("a second cancel is not refused")


def tour(client):
    spec = rest.JobSpec(cpu="50m", memory="64Mi", command=["serve", "50"], labels={"made": "by-python", "try": "1"})
    submitted = client.ask(rest.Accepted, "POST", "/v1/jobs", spec)
    job, since = submitted.job, str(submitted.revision)
    listed = client.ask(rest.JobPage, "GET", "/v1/jobs", state=["active", "ended"], label=["made=by-python", "try=1"])
    assert [it.id for it in listed.jobs] == [job], listed
    client.follow("task_started", job=job, since=since)
    client.ask(rest.Accepted, "DELETE", f"/v1/jobs/{job}", cause="the tour is over")
    client.follow("job_ended", job=job, since=since)
    assert client.ask(rest.Job, "GET", f"/v1/jobs/{job}").state.value == "cancelled"
    refused(client, job)


tour(Client(*sys.argv[1:]))
