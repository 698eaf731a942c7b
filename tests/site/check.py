# SPDX-License-Identifier: BSD-2-Clause
"""check.py FOLDER: reports what is wrong with the pages there, a line each: dead links, anchors and pictures, pages
that nothing leads to, what needs the network, unbalanced elements, missing titles and words for pictures."""
import html.parser
import pathlib
import sys
import urllib.parse

EMPTY = {"meta", "link", "img", "br", "hr", "col", "wbr", "input"}
OPTIONAL = {"p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead"}  # may be left open


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.wrong, self.open, self.titles = [], [], [], [], 0
        self.feed(text)
        self.wrong += [f"<{tag}> is not closed" for tag in self.open if tag not in OPTIONAL]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.titles += tag == "title"
        if tag not in EMPTY:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "img" and not values.get("alt"):
            self.wrong.append(f"no words for the picture {values.get('src')}")
        for name in "href", "src":
            if name in values:
                self.links.append((tag, values[name]))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}> closes {self.open[-1] if self.open else 'nothing'}, line {self.getpos()[0]}")


def links_wrong(folder, pages, name, page):
    """The pages that a page leads to, and what is wrong with its links."""
    found, wrong = set(), []
    for tag, link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            if tag != "a":
                wrong.append(f"{link} needs the network")
            continue
        target = (folder / name).parent / urllib.parse.unquote(parts.path) if parts.path else folder / name
        target = target.resolve()
        if not target.is_file() or target.stat().st_size == 0:
            wrong.append(f"{link} leads nowhere")
            continue
        other = target.relative_to(folder).as_posix()
        found.add(other)
        if parts.fragment and urllib.parse.unquote(parts.fragment) not in pages[other].ids:
            wrong.append(f"{link} has no such anchor")
    return found, wrong


def check(folder):
    pages = {path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8"))
             for path in sorted(folder.rglob("*.html"))}
    reached, ahead, report = set(), ["index.html"], []
    leads = {}
    for name, page in pages.items():
        leads[name], wrong = links_wrong(folder, pages, name, page)
        wrong += page.wrong + [f"the id {one} is there twice" for one in set(page.ids) if page.ids.count(one) > 1]
        wrong += ["it needs one title"] if page.titles != 1 else []
        report += [f"{name}: {sentence}" for sentence in wrong]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += [other for other in leads.get(name, ()) if other in pages]
    return report + [f"{name}: no link leads to it" for name in pages if name not in reached]


if __name__ == "__main__":
    print("\n".join(check(pathlib.Path(sys.argv[1]).resolve())))
