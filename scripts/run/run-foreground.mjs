import { spawn } from "node:child_process"
import { projectFolder } from "../setup/project-root.mjs"
import { waitForExit } from "./forward-signals.mjs"
import { spawnWithLifeline } from "./spawn-child.mjs"

/**
 * Runs a program of the project on the project's Node in place of this process: same output, forwarded signals, same
 * exit code. It has its own process group, so that Ctrl-C of the terminal reaches it only through this process.
 * @param {string[]} args the program and its arguments
 * @param {Record<string, string>} environment added to the variables of this process
 * @param {"ignore" | "inherit"} [input] whether it reads this process's input
 */
export function runForeground(args, environment, input = "ignore") {
  const child = spawnWithLifeline(args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    input,
    output: "inherit",
    // A program that reads from the terminal must be in its foreground process group.
    detached: input === "ignore",
  })
  return waitForExit(child)
}

/**
 * Runs a preparation step with its output on standard error: standard output belongs to the program that follows.
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
