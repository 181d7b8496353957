import { expect, test } from "vitest"
import { calls as served } from "~/billing-api/contract/endpoints"
import { calls } from "./remote-calls"

const { newClick: _, ...endpoints } = calls

test.each(Object.entries(endpoints))(
  "the served API takes %s by the method that the adapter uses",
  (name, call) => {
    expect(call.path).toBe(name)
    expect(served).toMatchObject({ [name]: { method: call.method } })
  },
)

test("the adapter calls every endpoint that the served API has, but that for the operator's own systems", () => {
  expect([...Object.keys(endpoints), "events"].sort()).toEqual(Object.keys(served).sort())
})
