import { afterEach, beforeEach, expect, test, vi } from "vitest"

type Options = {
  readonly precacheEntries: readonly (string | { readonly url: string; readonly revision: string })[]
  readonly skipWaiting?: boolean
}

const workers: Options[] = []
vi.mock("serwist", () => ({
  NetworkOnly: class {},
  Serwist: class {
    constructor(options: Options) {
      workers.push(options)
    }
    addEventListeners() {}
  },
}))
beforeEach(() => {
  workers.length = 0
})
afterEach(() => vi.resetModules())

/** The worker of a release, with what it is to cache. */
async function workerOf(release: string): Promise<Options> {
  vi.stubGlobal("KEPT_FILES", ["/checkout/assets/page-1a2b.js"])
  vi.stubGlobal("RELEASE", release)
  vi.resetModules()
  await import("./service-worker")
  const worker = workers.at(-1)
  if (!worker) throw new Error("There is no worker")
  return worker
}

test("the worker of a new release waits until the pages of the one before are closed, which need its files", async () => {
  expect((await workerOf("second")).skipWaiting ?? false).toBe(false)
})

test("each release caches its own offline pages, and a file with a hash in its name once", async () => {
  const [first, second] = [await workerOf("first"), await workerOf("second")]
  const pages = ({ precacheEntries }: Options) => precacheEntries.filter((it) => typeof it === "object")
  expect(pages(first).map(({ url }) => url)).toEqual(pages(second).map(({ url }) => url))
  for (const [worker, revision] of [
    [first, "first"],
    [second, "second"],
  ] as const)
    expect(new Set(pages(worker).map((it) => it.revision))).toEqual(new Set([revision]))
  expect(second.precacheEntries).toContain("/checkout/assets/page-1a2b.js")
})
