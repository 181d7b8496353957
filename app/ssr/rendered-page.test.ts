import { expect, test } from "vitest"
import { promotedBytes } from "../../tests/support/heap/promoted-bytes"
import { bodyOf, gzipOf, pageResponse } from "./rendered-page.server"

const RESPONSES = 20_000
/** Responses on their way at a time: some are, whenever V8 collects its young objects. */
const AT_A_TIME = 100
/** Of eight bytes. */
const NUMBERS = 2_000

test("a rendered page is gone with its response, without a collection of the whole heap", () => {
  const onTheirWay: Response[] = []
  const promoted = promotedBytes(RESPONSES, (nth) => {
    const kept = Array.from({ length: NUMBERS }, (_, at) => at + nth)
    onTheirWay[nth % AT_A_TIME] = pageResponse(
      { bytes: () => Buffer.from(kept.join()), gzip: () => null },
      { status: 200 },
    )
  })
  expect(onTheirWay).toHaveLength(AT_A_TIME)
  expect(promoted).toBeLessThan((RESPONSES * NUMBERS * 8) / 10)
})

test("a response has the bytes of its page, and any other one its own", async () => {
  const gzip = Buffer.from("packed")
  const page = pageResponse({ bytes: () => Buffer.from("page"), gzip: () => gzip }, { status: 404 })
  expect([page.status, String(await bodyOf(page)), gzipOf(page)]).toEqual([404, "page", gzip])
  const other = new Response("other")
  expect([gzipOf(other), String(await bodyOf(other))]).toEqual([null, "other"])
})
