# SPDX-License-Identifier: BSD-2-Clause
"""make html: site.py SOURCE OUTPUT MANDOC VERSION writes README, manual and examples as linked pages.

Markdown becomes HTML by Python-Markdown, manual pages by mandoc. A link to a file of the source becomes one to its
page, or to a copy. In running text, names of pages, of manual pages and of keys of cases become links.
"""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

SHOWN = (".cfg", ".c", ".cc", ".py", ".sh")  # files of examples that their pages show in full
LINKED = SHOWN + (".geo", ".msh", ".ipynb")  # and those that they link
NAVIGATION = (("README.md", "edgewise"), ("examples/README.md", "Examples"), ("man/edgewise.1", "Commands"),
              ("man/edgewise-case.5", "Cases"), ("man/libedgewise.3", "Library"), ("python/README.md", "Python"),
              ("bench/README.md", "Speed"), ("CONTRIBUTING.md", "Contributing"), ("NEWS", "News"))
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<header><nav aria-label="Site">{navigation}</nav></header>
<main>
{body}
</main>
<footer>edgewise {version}</footer>
</body>
</html>
"""


def pages_of(source):
    """The page of each file that has one: "examples/sod/README.md" has "examples/sod/index.html"."""
    pages = {"README.md": "index.html", "CONTRIBUTING.md": "contributing.html", "NEWS": "news.html"}
    for path in sorted(source.glob("bench/results/*.md")) + sorted(source.glob("man/*.[1-9]")):
        name = path.relative_to(source).as_posix()
        pages[name] = name.removesuffix(".md") + ".html"
    for pattern in "bench/README.md", "packaging/README.md", "python/README.md", "examples/README.md", \
            "examples/*/README.md":
        for path in sorted(source.glob(pattern)):
            name = path.relative_to(source).as_posix()
            pages[name] = name.removesuffix("README.md") + "index.html"
    return pages


class Site:
    def __init__(self, source, output, mandoc, version):
        self.source, self.output, self.version = source, output, version
        self.pages = pages_of(source)
        to_html = [mandoc, "-T", "html", "-O", "fragment,toc"]
        self.manual = {name: subprocess.check_output(to_html + [str(source / name)], encoding="utf-8")
                       for name in self.pages if name.startswith("man/")}
        self.keys = set(re.findall(r'id="([a-z_]+(?:\.[a-z_]+)+)"', self.manual["man/edgewise-case.5"]))

    def link(self, page, target):
        return os.path.relpath(target, os.path.dirname(page) or ".").replace(os.sep, "/")

    def reference(self, page, text, folder):
        """Where a name in running text leads, or None."""
        manual = re.fullmatch(r"([\w-]+)\((\d)\)", text)
        names = [f"man/{manual[1]}.{manual[2]}"] if manual else [
            os.path.normpath(base + text + end) for base in (folder + "/", "") for end in ("", "/README.md")]
        for name in names:
            if self.pages.get(name, page) != page:
                return self.link(page, self.pages[name])
        if text in self.keys and page != self.pages["man/edgewise-case.5"]:
            return self.link(page, self.pages["man/edgewise-case.5"]) + "#" + text
        return None

    def file(self, page, name):
        """A link to a file of the source, which is copied; pages stand for themselves."""
        if name in self.pages:
            return self.link(page, self.pages[name])
        copy = self.output / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.source / name, copy)
        return self.link(page, name)

    def linked(self, page, body, folder):
        """The text with links that fit where the page stands."""
        def attribute(match):
            target, anchor = re.fullmatch(r"([^#]*)(.*)", html.unescape(match[2])).groups()
            if not target or re.match(r"[a-z]+:", target):
                return match[0]
            name = os.path.normpath(os.path.join(folder, target))
            return f'{match[1]}="{html.escape(self.file(page, name) + anchor)}"'

        def code(match):
            where = self.reference(page, html.unescape(match[1]), folder)
            return f'<a href="{where}">{match[0]}</a>' if where else match[0]

        body = re.sub(r'\b(href|src)="([^"]*)"', attribute, body)
        return re.sub(r"(?<!<pre>)<code>([^<]+)</code>", code, body)

    def write(self, name, title, body):
        page = self.pages[name]
        here = " aria-current=page"
        navigation = " ".join(f'<a href="{self.link(page, self.pages[file])}"{here if file == name else ""}>{text}</a>'
                              for file, text in NAVIGATION)
        path = self.output / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(title=html.escape(title), style=self.link(page, "style.css"), body=body,
                                    navigation=navigation, version=self.version), encoding="utf-8")

    def markdown(self, name):
        """The page's title and text."""
        text = (self.source / name).read_text(encoding="utf-8")
        body = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"],
                                 output_format="html")
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        title = re.search(r"^# (.*)", text, re.MULTILINE)[1].replace("`", "")
        return title, self.linked(self.pages[name], body, os.path.dirname(name))

    def write_markdown(self, name):
        title, body = self.markdown(name)
        if name == "examples/README.md":
            body = body.replace("<div", self.gallery(name) + "<div", 1)
        elif name == "bench/README.md":
            body += self.results(name)
        elif name.startswith("examples/"):
            body += self.files(name)
        self.write(name, title if name == "README.md" else f"{title} - edgewise", body)

    def gallery(self, name):
        """The first picture of each example."""
        items = []
        for other in [other for other in self.pages if re.fullmatch(r"examples/[^/]+/README.md", other)]:
            text = (self.source / other).read_text(encoding="utf-8")
            picture = re.search(r"^!\[(.*)\]\((.*)\)", text, re.MULTILINE)
            if picture:
                title = html.escape(re.search(r"^# (.*)", text)[1])
                image = self.file(self.pages[name], os.path.join(os.path.dirname(other), picture[2]))
                items.append(f'<a href="{self.link(self.pages[name], self.pages[other])}"><img src="{image}" '
                             f'alt="{html.escape(picture[1])}" loading="lazy"><span>{title}</span></a>')
        return f'<div class="gallery">{"".join(items)}</div>\n'

    def results(self, name):
        """Links to what was measured."""
        items = (f'<li><a href="{self.link(self.pages[name], self.pages[other])}">{self.markdown(other)[0]}</a></li>'
                 for other in self.pages if other.startswith("bench/results/"))
        return f'\n<h2 id="results">Results</h2>\n<ul>{"".join(items)}</ul>'

    def files(self, name):
        """An example's files: links to all, then cases and programs in full."""
        folder, page = os.path.dirname(name), self.pages[name]
        names = sorted((path.name for path in (self.source / folder).iterdir() if path.suffix in LINKED),
                       key=lambda file: (not file.endswith(".cfg"), file))
        links = ", ".join(f'<a href="{self.file(page, folder + "/" + file)}">{file}</a>' for file in names)
        parts = [f'\n<h2 id="files">Files</h2>\n<p>{links}</p>']
        for file in names:
            if file.endswith(SHOWN):
                text = (self.source / folder / file).read_text(encoding="utf-8")
                parts.append(f'<h3 id="{file}">{file}</h3>\n<pre><code>{coloured(text)}</code></pre>')
        return "\n".join(parts)

    def write_manual(self, name):
        page = self.pages[name]

        def reference(match):
            where = self.reference(page, f"{match[1]}({match[2]})", "man")
            return f'<a class="Xr" href="{where}">{match[1]}({match[2]})</a>' if where else f"{match[1]}({match[2]})"

        body = re.sub(r'<a class="Xr">([\w-]+)\((\d)\)</a>', reference, self.manual[name])
        stem, section = os.path.basename(name).rsplit(".", 1)
        body = f"<h1>{stem}({section})</h1>\n" + re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
        self.write(name, f"{stem}({section})", f'<div class="manual">{body}{self.other_pages(name)}</div>')

    def other_pages(self, name):
        pages = " ".join(f'<a href="{self.link(self.pages[name], self.pages[other])}">{other[4:-2]}({other[-1]})</a>'
                         for other in self.manual if other != name)
        return f'\n<nav class="pages" aria-label="Manual">{pages}</nav>'

    def build(self):
        self.output.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.source / "site/style.css", self.output / "style.css")
        for name in self.pages:
            if name == "NEWS":
                text = html.escape((self.source / name).read_text(encoding="utf-8"))
                self.write(name, "News - edgewise", f"<h1>News</h1>\n<pre class=news>{text}</pre>")
            elif name in self.manual:
                self.write_manual(name)
            else:
                self.write_markdown(name)


def coloured(text):
    """A case's or a program's text with its comments and strings marked."""
    pattern = r'("(?:[^"\\\n]|\\.)*")|((?:^|(?<=\s))(?:#(?!include|define|if|end)|//)[^\n]*|/\*.*?\*/)'
    parts, end = [], 0
    for match in re.finditer(pattern, text, re.S | re.M):
        parts.append(html.escape(text[end:match.start()]))
        parts.append(f'<span class="{"string" if match[1] else "comment"}">{html.escape(match[0])}</span>')
        end = match.end()
    return "".join(parts) + html.escape(text[end:])


if __name__ == "__main__":
    Site(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]).build()
