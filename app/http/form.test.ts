import { expect, test } from "vitest"
import { formOf, jsonOf, MAX_FORM_FIELDS, textIn } from "./form.server"

test("parses a form up to the maximum number of fields", async () => {
  expect([...(await sent("plan=3&email=a%40b.test"))]).toEqual([
    ["plan", "3"],
    ["email", "a@b.test"],
  ])
  expect([...(await sent("a=1&".repeat(MAX_FORM_FIELDS)))]).toHaveLength(MAX_FORM_FIELDS)
})

test("treats a form with too many fields as empty, within a second of processor time", async () => {
  expect([...(await sent("a=1&".repeat(MAX_FORM_FIELDS + 1)))]).toEqual([])
  const start = process.cpuUsage()
  expect([...(await sent("a=1&".repeat(15_000)))]).toEqual([])
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(1_000)
})

test("treats a body that is not a form as empty", async () => {
  expect([...(await sent('{"plan":1}', "application/json"))]).toEqual([])
})

test("removes null characters, which PostgreSQL cannot store, from form values and nested JSON", async () => {
  expect([...(await sent("plan=3%00&em%00ail=%00a%40b.test"))]).toEqual([
    ["plan", "3"],
    ["em\0ail", "a@b.test"],
  ])
  const request = (body: string) => new Request("https://shop.test/", { method: "POST", body })
  expect(await jsonOf(request('{"a":["\\u0000b"],"c":1}'))).toEqual({ a: ["b"], c: 1 })
  expect(await jsonOf(request('{"a":'))).toBeNull()
})

test("a field that is missing or a file has no text", () => {
  const form = new FormData()
  form.append("email", "a@b.test")
  form.append("logo", new File(["<svg/>"], "logo.svg"))
  expect(["email", "plan", "logo"].map((name) => textIn(form, name))).toEqual(["a@b.test", "", ""])
})

function sent(body: string, type = "application/x-www-form-urlencoded"): Promise<FormData> {
  return formOf(
    new Request("https://shop.test/", { method: "POST", body, headers: { "content-type": type } }),
  )
}
