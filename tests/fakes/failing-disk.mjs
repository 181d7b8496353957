import diagnostics from "node:diagnostics_channel"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"

/**
 * Preloaded into a server: `datasync` fails with EIO from the first POST on that arrives while the file named by FAILING_DISK
 * exists. A flush of a background job that failed before would end the shop before it has the request, whose connection it
 * would then reset.
 */
const sign = process.env.FAILING_DISK ?? ""
let isBroken = false
diagnostics.subscribe("http.server.request.start", (message) => {
  const { request } = /** @type {{ request: import("node:http").IncomingMessage }} */ (message)
  if (request.method === "POST" && existsSync(sign)) isBroken = true
})

const file = await open("/dev/null")
const { datasync } = Object.getPrototypeOf(file)
Object.getPrototypeOf(file).datasync = async function () {
  if (isBroken) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" })
  return datasync.call(this)
}
await file.close()
