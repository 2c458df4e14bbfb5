#!/usr/bin/python3
"""The rules of `make lint` on the structure of the sources fail where they are broken: each fault is planted in
a small tree that is clean without it."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
TOOL = TOOLS / "lint_structure.py"

HEADER = "#ifndef {guard}\n#define {guard}\n{body}\n#endif\n"
CLEAN = {
    "high/top.c": '#include "high/top.h"\n#include "low/base.h"\nint sg_top(void)\n{\n    return sg_base();\n}\n',
    "high/top.h": HEADER.format(guard="TOP", body="int sg_top(void);"),
    "high/side.c": '#include "low/base.h"\nint sg_side(void);\nint sg_side(void)\n{\n    return sg_base();\n}\n',
    "low/base.c": '#include "low/base.h"\nint sg_base(void)\n{\n    return 1;\n}\n',
    "low/base.h": HEADER.format(guard="BASE", body="/* --- a banner ------- */\nstruct sg_base {\n    int a;\n};\nint sg_base(void);"),
    "low/other.c": "int sg_other(void);\nint sg_other(void)\n{\n    return 2;\n}\n",
}


class Structure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.src, self.objects = Path(folder.name) / "src", Path(folder.name) / "obj"
        for name, text in CLEAN.items():
            self.put(name, text)

    def put(self, name, text):
        path = self.src / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def compile(self):
        for source in self.src.rglob("*.c"):
            target = (self.objects / source.relative_to(self.src)).with_suffix(".o")
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-I", self.src, "-c", source, "-o", target], check=True)

    def lint(self):
        self.compile()
        return subprocess.run([TOOL, self.src, self.objects], capture_output=True, text=True, check=False)

    def must_fail(self, *words):
        done = self.lint()
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertIn(" 1 breaches", done.stdout)

    def test_a_clean_tree_passes(self):
        done = self.lint()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_circle_of_includes(self):
        self.put("low/base.c", '#include "high/top.h"\n' + CLEAN["low/base.c"])
        self.must_fail("high/top, low/base", "by includes")

    def test_a_circle_of_headers_inside_a_room(self):
        self.put("low/other.h", HEADER.format(guard="OTHER", body='#include "low/base.h"'))
        self.put("low/base.h", CLEAN["low/base.h"].replace("#define BASE", '#define BASE\n#include "low/other.h"'))
        self.must_fail("low/base, low/other", "by includes")

    def test_a_circle_of_calls(self):
        self.put("low/base.c", "int sg_other(void);\n" + CLEAN["low/base.c"].replace("return 1", "return sg_other()"))
        self.put("low/other.c", "int sg_base(void);\n" + CLEAN["low/other.c"].replace("return 2", "return sg_base()"))
        self.must_fail("low/base, low/other", "by calls")

    def test_a_registry_of_data_is_no_circle(self):
        self.put("low/other.c", "int sg_base(void);\nint sg_other(void);\nint sg_other(void)\n{\n    return sg_base();\n}\n"
                                "const int sg_kind = 3;\n")
        self.put("low/base.c", CLEAN["low/base.c"] + "extern const int sg_kind;\nconst int *const sg_kinds[] = {&sg_kind};\n")
        self.assertEqual(self.lint().returncode, 0)

    def test_a_tag_defined_twice(self):
        self.put("high/side.c", CLEAN["high/side.c"] + "struct sg_base_two {\n    int a;\n};\n")
        self.put("low/other.c", CLEAN["low/other.c"] + "struct sg_base_two {\n    int b;\n};\n")
        self.must_fail("low/other.c:6: struct sg_base_two is defined at", "high/side.c:7 too")

    def test_a_broken_banner(self):
        self.put("low/other.c", "/* --- a banner that the formatter broke -------\n */\n" + CLEAN["low/other.c"])
        self.must_fail("low/other.c:1: this banner does not end on its line")

    def test_a_room_of_one(self):
        shutil.move(self.src / "low" / "other.c", self.src / "high" / "other.c")
        self.must_fail("this room has one unit only: low/base")


KIND = """static const struct sg_kind one = {"coil", "a spring", 0};
const struct sg_coil_ops sg_coil = {0};
int sg_is(const char *word)
{
    return %s;
}
"""


class Kinds(unittest.TestCase):
    """Nothing asks for a kind by its name or table, nor for a law's number."""

    def findings(self, comparison):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "room").mkdir()
            Path(folder, "room", "one.c").write_text(KIND % comparison, encoding="utf-8")
            done = subprocess.run([TOOLS / "lint_kinds.py", folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1 if "one.c" in done.stdout else 0, done.stdout)
        return done.stdout

    def test_other_words_may_be_compared(self):
        self.assertIn("1 kinds, 0 asked for by name", self.findings('strcmp(word, "left") == 0'))

    def test_the_name_of_a_kind_may_not(self):
        self.assertIn("one.c:5: a kind is asked for by its name", self.findings('strcmp(word, "coil") == 0'))

    def test_nor_what_a_kind_is_called(self):
        self.assertIn("one.c:5:", self.findings("strcmp(sg_setting_kind(node)->name, word) == 0"))
        self.assertIn("one.c:5:", self.findings("strcmp(word,\n                  ops->kind.name) == 0"))

    def test_nor_may_its_table_be_compared(self):
        self.assertIn("one.c:5: a kind is asked for by its table", self.findings("law->ops == &sg_coil"))
        self.assertIn("one.c:5:", self.findings("&sg_coil != ops"))
        self.assertIn(" 0 asked for by name", self.findings("word == &sg_coiled"))

    def test_a_law_is_asked_by_its_functions(self):
        for text in ("set->laws[j].restitution > 0.0", "law->restitution == 1.0"):
            self.assertIn("one.c:5: a law's restitution is read", self.findings(text))
        self.assertIn(" 0 reads", self.findings("spring->restitution > 0.0"))


if __name__ == "__main__":
    unittest.main()
