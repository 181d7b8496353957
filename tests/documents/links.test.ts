import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { expect, test } from "vitest"

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => existsSync(file))
const documents = tracked.filter((file) => file.endsWith(".md"))

const textOf = (file: string) => readFileSync(file, "utf8")

/** Headings of a page, as GitHub's anchors. */
function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )
}

/** Targets of a page's links and images within the repository. */
function targetsIn(file: string): string[] {
  const text = textOf(file).replace(/^```[\s\S]*?^```/gm, "")
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/<img src="([^"]+)"/g)]
  return links.map(([, target = ""]) => target).filter((target) => !/^(https?:|mailto:)/.test(target))
}

test.each(documents)("every link in %s leads to a file and a heading that exist", (file) => {
  const broken = targetsIn(file).filter((target) => {
    const [path = "", anchor] = target.split("#")
    const page = path === "" ? file : normalize(join(dirname(file), path))
    if (!existsSync(page)) return true
    return anchor !== undefined && !anchorsOf(page).includes(anchor)
  })
  expect(broken).toEqual([])
})

/** Paths of files and folders that a page names in code, such as `app/domain/catalogue/pricing`. */
function pathsIn(file: string): string[] {
  const text = textOf(file).replace(/^```[\s\S]*?^```/gm, "")
  const code = [...text.matchAll(/`((?:app|tests|scripts|docs|ops|\.github|\.ci)\/[\w./*-]+)`/g)].map(
    ([, path = ""]) => path,
  )
  return code.filter((path) => !/[A-Z]{3}|\*/.test(path))
}

/** Pages about the present: a changelog names what is gone. */
const current = documents.filter(
  (file) => !/^(CHANGELOG|docs\/upgrading|tests\/fixtures\/release-)/.test(file),
)

test.each(current)("every path that %s names exists", (file) => {
  const missing = pathsIn(file).filter(
    (path) =>
      !tracked.some(
        (it) => it === path || it.startsWith(`${path.replace(/\/$/, "")}/`) || it.startsWith(`${path}.`),
      ),
  )
  expect(missing).toEqual([])
})

/** Headings that comments cite: "(specification, Promotions)", "(docs/gateways.md, BTCPay)". */
function citationsIn(file: string): { page: string; heading: string }[] {
  const text = textOf(file).replace(/\n\s*(\*|\/\/|#) /g, " ")
  const inSpecification = [...text.matchAll(/\(specification, ([A-Z][A-Za-z ]+?)[:,;)]/g)].map(
    ([, heading = ""]) => ({
      page: "docs/specification.md",
      heading,
    }),
  )
  const elsewhere = [...text.matchAll(/\((docs\/[\w-]+\.md), ([A-Z][A-Za-z ]+?)[:,;)]/g)].map(
    ([, page = "", heading = ""]) => ({ page, heading }),
  )
  return [...inSpecification, ...elsewhere]
}

test("every heading that a comment cites exists", () => {
  const sources = tracked.filter((file) =>
    /^(app|tests|scripts|ops)\/.*\.(ts|tsx|mjs|css|yml|conf)$/.test(file),
  )
  const wrong = sources.flatMap((file) =>
    citationsIn(file)
      .filter(
        ({ page, heading }) =>
          !existsSync(page) || !anchorsOf(page).includes(heading.toLowerCase().replaceAll(" ", "-")),
      )
      .map(({ page, heading }) => `${file}: ${page}, ${heading}`),
  )
  expect(wrong).toEqual([])
})

test("no comment cites a document outside the repository", () => {
  const sources = tracked.filter((file) =>
    /^(app|tests|scripts|ops)\/.*\.(ts|tsx|mjs|css|yml|conf)$/.test(file),
  )
  const citing = sources.filter((file) =>
    /^\s*(\/?\*|\/\/).*(\((spec|design|reference)[,:]|\b(spec|design|reference)(,| of)? sections? \d)/m.test(
      textOf(file),
    ),
  )
  expect(citing.filter((file) => file !== "tests/documents/links.test.ts")).toEqual([])
})
