import { once } from "node:events"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, test } from "vitest"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"

const program = new URL("./main.mjs", import.meta.url).pathname
let child: ReturnType<typeof spawnWithLifeline>
let start: string
let url: string
beforeEach(async () => {
  const env = { PATH: process.env.PATH, PORT: "0", TIME_ZONE: "Europe/Madrid", WHMCS_PATH: "/billing" }
  child = spawnWithLifeline([program], { env, output: "pipe" })
  if (!child.stdout) throw new Error("The simulator has no output")
  for await (const line of createInterface(child.stdout)) {
    start = line.trim()
    if (start.endsWith(" npm start")) break
  }
  url = /WHMCS_URL=(\S+)/.exec(start)?.[1] ?? ""
})
afterEach(async () => {
  if (child.exitCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
})

test("the simulator process prints the shop's settings, is controlled by its staff pages and ends on a signal", async () => {
  const staff = new URL("/_staff/", url)
  const post = async (page: string, body?: string) =>
    (await fetch(new URL(page, staff), { method: "POST", ...(body && { body }) })).json()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/billing$/)
  expect(start).toMatch(/^BILLING=whmcs .*WHMCS_TIME_ZONE=Europe\/Madrid .*WHMCS_PLANS=group:1 /)
  expect(await post("markPaid?invoice=7")).toEqual({ result: "error", message: "There is no invoice 7" })
  expect(await post("dance")).toMatchObject({ result: "error" })

  const fetchPage = () => fetch(`${url}/includes/api.php`, { method: "POST", body: "action=GetProducts" })
  expect((await fetchPage()).status).toBe(403)
  expect(await (await fetch(new URL("calls", staff))).json()).toEqual([{ action: "GetProducts", params: {} }])
  await post("quirks", JSON.stringify({ down: true }))
  await expect(fetchPage()).rejects.toThrow()
  expect(await (await fetch(new URL("state", staff))).json()).toMatchObject({ clients: [], orders: [] })

  child.kill("SIGTERM")
  expect(await once(child, "exit")).toEqual([0, null])
})
