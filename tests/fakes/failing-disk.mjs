import { existsSync } from "node:fs"
import { open } from "node:fs/promises"

/** Loaded before a server: its disk fails to take what is written while the file of that name is there. */
const sign = process.env.FAILING_DISK ?? ""

const file = await open("/dev/null")
const { datasync } = Object.getPrototypeOf(file)
Object.getPrototypeOf(file).datasync = async function () {
  if (existsSync(sign)) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" })
  return datasync.call(this)
}
await file.close()
