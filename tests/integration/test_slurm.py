#!/usr/bin/python3
"""A study as a job array of a real Slurm, started here on the loopback interface: the table is that of a sweep
without Slurm; tasks that work off several cases; jobs cancelled in the middle, and submitted again.

Exits with 77 and a word why where there is no Slurm (packages slurmctld slurmd slurm-client munge) or no root."""

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import harness
from test_sweep import BASE, LONG, STUDY

SKIP = 77
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel", "munged", "mungekey")

CONFIGURATION = """
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
MinJobAge=600
NodeName=localhost NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def obstacle():
    """Why there is no Slurm to be had here; '' if there is one."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"Slurm is not installed: there is no {', '.join(missing)}"
    return resolvable_name() if os.geteuid() == 0 else "a Slurm of its own needs root"


def resolvable_name():
    """Slurm's daemons look their own host's name up. Where no name service knows it, as in a minimal system, this
    process and those that it starts get a name of their own that every system knows. Why that can't be; '' if it
    is done."""
    try:
        socket.getaddrinfo(socket.gethostname(), None)
        return ""
    except OSError:
        pass
    new_uts = 0x04000000  # CLONE_NEWUTS
    if ctypes.CDLL(None, use_errno=True).unshare(new_uts) != 0:
        return f"this host's name can't be looked up, nor set: {os.strerror(ctypes.get_errno())}"
    socket.sethostname("localhost")
    return ""


def version():
    said = subprocess.run(["slurmctld", "-V"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def free_ports():
    sockets = [socket.socket() for _ in range(2)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """The daemons, in a folder of their own (short: paths of sockets are)."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sl", dir="/tmp"))
        self.folder.chmod(0o755)
        self.daemons = []
        for name in ("run", "state", "spool", "key"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "key").chmod(0o700)
        controller, daemon = free_ports()
        text = CONFIGURATION.format(folder=self.folder, controller=controller, daemon=daemon)
        (self.folder / "slurm.conf").write_text(text)
        if version() >= (23, 11):  # newer servers want cgroups unless they are told to do without
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")

    def start(self):
        key, munge = self.folder / "key" / "k", self.folder / "run" / "munge.socket"
        subprocess.run(["mungekey", "-c", "-k", key], check=True)
        self.daemon("munged", "-F", f"--key-file={key}", f"--socket={munge}",
                    f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                    f"--seed-file={self.folder}/munged.seed")
        if not harness.wait_for(munge.exists):
            return self.said("munged.log")
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D", "-N", "localhost")
        idle = harness.wait_for(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"), limit=30, pause=0.1)
        return "" if idle else self.said("slurmctld.log") + self.said("slurmd.log")

    def daemon(self, *command):
        self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def said(self, name):
        try:
            return (self.folder / name).read_text()[-2000:]
        except OSError:
            return f"no {name}"

    @staticmethod
    def ask(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def wait(self, limit=60):
        """Until the queue is empty."""
        return harness.wait_for(lambda: not self.ask("squeue", "-h").strip(), limit=limit, pause=0.1)

    def stop(self):
        if len(self.daemons) == 3:
            subprocess.run(["scancel", "-f", "--user=root"], capture_output=True, check=False)
            self.wait(limit=10)
        for process in reversed(self.daemons):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Arrays(unittest.TestCase):
    maxDiff = None
    slurm = None

    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm()
        cls.addClassCleanup(cls.slurm.stop)
        fault = cls.slurm.start()
        if fault:
            raise unittest.SkipTest(f"the Slurm that is installed does not start here:\n{fault}")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="it's a study ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bar.cfg").write_text(BASE)

    def put(self, text):
        (self.folder / "study.cfg").write_text(text)

    def sweep(self, *arguments):
        return harness.run("sweep", "study.cfg", *arguments, cwd=self.folder)

    def table(self, folder="out"):
        return (self.folder / folder / "summary.csv").read_text()

    def submit(self):
        done = harness.must(self.sweep("--slurm"))
        self.assertRegex(done.stdout, r"^\d+ cases: job \d+, and then the table: job \d+\n$")
        return done.stdout.split()[3].rstrip(",")

    def logs(self):
        return "".join(path.read_text() for path in (self.folder / "out").glob("slurm-*.log"))

    def test_the_table_is_the_same(self):
        self.put(STUDY.replace("[0.0, 0.5, 1.0]", "[0.0, 0.5, 2.0]"))
        harness.must(self.sweep("-o", "here"), 76)
        self.submit()
        self.assertTrue(self.slurm.wait())
        self.assertEqual(self.table(), self.table("here"), self.logs())
        self.assertEqual(self.table().count("failed"), 3)

    def test_few_tasks_of_many_cases(self):
        self.put(STUDY + 'slurm = { tasks = 2; at_once = 1; options = ["--nice=1"]; setup = ["export X=1"]; };')
        harness.must(self.sweep("-o", "here"))
        self.submit()
        self.assertTrue(self.slurm.wait())
        self.assertEqual(self.table(), self.table("here"), self.logs())
        script = (self.folder / "out" / "cases.sbatch").read_text()
        for line in ("#SBATCH --array=1-2%1\n", "#SBATCH --nice=1\n", "\nexport X=1\n"):
            self.assertIn(line, script)
        # once more: nothing is left to be done
        times = {path: path.stat().st_mtime_ns for path in (self.folder / "out").glob("case-*.h5")}
        self.submit()
        self.assertTrue(self.slurm.wait())
        self.assertEqual(times, {path: path.stat().st_mtime_ns for path in (self.folder / "out").glob("case-*.h5")})

    def test_cancelled_jobs_go_on(self):
        end, seconds = 100.0, 0.0
        while seconds < 2.0:
            end *= min(5.0, 3.0 / seconds) if seconds > 0.1 else 2.0
            self.put(LONG.replace("LENGTH", repr(end)))
            shutil.rmtree(self.folder / "here", ignore_errors=True)
            begin = time.monotonic()
            harness.must(self.sweep("-o", "here"))
            seconds = time.monotonic() - begin
        job = self.submit()
        parts = self.folder / "out"
        self.assertTrue(harness.wait_for(lambda: list(parts.glob("*.h5.part"))))
        time.sleep(0.3)
        subprocess.run(["scancel", job], check=True)
        self.assertTrue(self.slurm.wait())
        self.assertIn("missing" if "missing" in self.table() else "interrupted", self.table())
        self.assertTrue(list(parts.glob("*.checkpoint")), "what was cancelled has saved what it had")
        self.submit()
        self.assertTrue(self.slurm.wait())
        self.assertEqual(self.table(), self.table("here"), self.logs())
        for k in (1, 2, 3):
            a, b = (harness.read_series(self.folder / name / f"case-000{k}.h5") for name in ("out", "here"))
            self.assertEqual(harness.differing(a, b), [])


class NoSlurm(unittest.TestCase):
    def test_is_told(self):
        """Where there is no sbatch."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "bar.cfg").write_text(BASE)
            (Path(folder) / "study.cfg").write_text(STUDY)
            done = subprocess.run([harness.PROGRAM, "sweep", "study.cfg", "--slurm"], cwd=folder, text=True,
                                  capture_output=True, check=False, env=os.environ | {"PATH": folder})
            self.assertEqual(done.returncode, 71)
            self.assertIn("there is no sbatch: is Slurm installed here?", done.stderr)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    reason = obstacle()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIP)
    unittest.main()
