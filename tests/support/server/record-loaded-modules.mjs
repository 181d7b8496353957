import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

const { LOADED_MODULES = "" } = process.env

/** Preloaded into a server with `--import`: writes the URL of every module that it loads to the file `LOADED_MODULES`. */
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(LOADED_MODULES, `${url}\n`)
    return nextLoad(url, context)
  },
})
