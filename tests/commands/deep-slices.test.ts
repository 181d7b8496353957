import { expect, test } from "vitest"
import { type DeepFile, pickFiles, rotate, slicesOf } from "../../scripts/run/deep-slices.mjs"

const playwright = (project: string, name: string): DeepFile => ({
  runner: "playwright",
  project,
  file: `tests/e2e/journeys/${name}.spec.ts`,
})
const whmcs = ["a", "b", "c"].map((name) => playwright("whmcs", name))
const remote = playwright("remote", "whmcs")
const vitest: DeepFile = { runner: "vitest", project: "deep", file: "tests/resilience/fuzz.deep.test.ts" }

test("a pattern picks the files whose project or path contains it, ignoring case", () => {
  expect(pickFiles([...whmcs, remote, vitest], ["WHMCS"])).toEqual([...whmcs, remote])
  expect(pickFiles([...whmcs, remote, vitest], ["fuzz", "remote"])).toEqual([remote, vitest])
  expect(pickFiles([...whmcs, remote, vitest], ["nothing"])).toEqual([])
})

test("without a pattern all files are picked", () => {
  expect(pickFiles([...whmcs, vitest], [])).toEqual([...whmcs, vitest])
})

test("a slice has files of one runner and one project, and at most the given number", () => {
  const names = slicesOf([vitest, ...whmcs, remote], 2).map(({ runner, project, files }) => [
    runner,
    project,
    files.length,
  ])
  expect(names).toEqual([
    ["playwright", "remote", 1],
    ["playwright", "whmcs", 2],
    ["playwright", "whmcs", 1],
    ["vitest", "deep", 1],
  ])
})

test("the same files give the same slices in any input order", () => {
  const files = [vitest, ...whmcs, remote]
  expect(slicesOf(files.toReversed(), 2)).toEqual(slicesOf(files, 2))
})

test("each commit starts with its own slice and runs all slices in the same cycle", () => {
  const slices = ["a", "b", "c", "d", "e"]
  expect(rotate(slices, "00000000ffff")).toEqual(slices)
  expect(rotate(slices, "00000007ffff")).toEqual(["c", "d", "e", "a", "b"])
  expect(rotate(slices, "00000007aaaa")).toEqual(rotate(slices, "00000007ffff"))
  const hashes = Array.from({ length: 40 }, (_, at) => (at * 0x1234567).toString(16).padStart(8, "0"))
  expect(new Set(hashes.map((hash) => rotate(slices, hash)[0]))).toEqual(new Set(slices))
})

test("slices have an order without a commit, and no slices are no error", () => {
  expect(rotate(["a", "b"], "")).toEqual(["a", "b"])
  expect(rotate([], "12345678")).toEqual([])
})
