import { spawn } from "node:child_process"
import { projectFolder } from "../setup/project-root.mjs"
import { waitForExit } from "./forward-signals.mjs"
import { spawnWithLifeline } from "./spawn-child.mjs"

/**
 * Runs a program of the project on its own Node as if it were this process: same output, signals passed on, its exit
 * code as the answer. It has a process group of its own, so that the terminal's Ctrl-C reaches it only through here.
 * @param {string[]} args the program and its arguments
 * @param {Record<string, string>} environment set beside the variables of this process
 * @param {"ignore" | "inherit"} [input] whether it reads this process's input
 */
export function runForeground(args, environment, input = "ignore") {
  const child = spawnWithLifeline(args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    ...{ input, output: "inherit" },
    // Who reads from the terminal must be in its foreground.
    detached: input === "ignore",
  })
  return waitForExit(child)
}

/**
 * Runs a step of the preparation, with what it says on the error output: the standard one belongs to the program
 * that is prepared.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
export function preparation(program, args, environment) {
  const child = spawn(program, args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", 2, 2],
  })
  return waitForExit(child)
}
