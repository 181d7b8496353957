import { existsSync } from "node:fs"
import { open } from "node:fs/promises"

/** Preloaded into a server: `datasync` fails with EIO while the file named by FAILING_DISK exists. */
const sign = process.env.FAILING_DISK ?? ""

const file = await open("/dev/null")
const { datasync } = Object.getPrototypeOf(file)
Object.getPrototypeOf(file).datasync = async function () {
  if (existsSync(sign)) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" })
  return datasync.call(this)
}
await file.close()
