import { spawn } from "node:child_process"
import { projectNode } from "../setup/node-binary.mjs"

const loaded = new URL("exit-with-parent.mjs", import.meta.url).href

/**
 * @typedef {object} Start
 * @property {NodeJS.ProcessEnv} env
 * @property {"inherit" | "pipe"} output of both outputs
 * @property {"ignore" | "inherit" | "pipe"} [input] default: none
 * @property {string} [cwd]
 * @property {boolean} [detached] a process group of its own
 */

/**
 * Starts a program on the project's Node. The program ends with this process, even after `kill -9`.
 * @param {string[]} args the program and its arguments
 * @param {Start} start
 */
export function spawnWithLifeline(args, { env, output, input = "ignore", ...options }) {
  return spawn(projectNode(), ["--import", loaded, ...args], {
    ...options,
    env: { ...env, EXIT_WITH_PARENT: "yes" },
    stdio: [input, output, output, "ipc"],
  })
}
