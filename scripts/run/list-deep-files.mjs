import { spawnSync } from "node:child_process"
import { relative } from "node:path"
import { CliError } from "../setup/cli-error.mjs"
import { projectNode } from "../setup/node-binary.mjs"
import { projectFolder } from "../setup/project-root.mjs"

/**
 * @typedef {import("./deep-slices.mjs").DeepFile} DeepFile
 * @typedef {import("./test-steps.mjs").TestStep} TestStep
 */

/**
 * Lists the files whose tests a step would run. Throws a `CliError` if its runner cannot list them.
 * @param {TestStep} step
 * @returns {DeepFile[]}
 */
export function listFiles({ runner, args }) {
  return runner === "vitest" ? listVitestFiles(args) : listPlaywrightFiles(args)
}

/**
 * @param {readonly string[]} args
 * @returns {DeepFile[]}
 */
function listVitestFiles([program = "", , ...options]) {
  const projects = options.filter((option) => option.startsWith("--project="))
  /** @type {{ file: string, projectName: string }[]} */
  const listed = jsonOf([program, "list", "--filesOnly", "--json", ...projects], "[")
  return listed.map(({ file, projectName }) => ({
    runner: "vitest",
    project: projectName,
    file: relative(projectFolder, file),
  }))
}

/**
 * @typedef {{ tests: { projectName: string }[] }} Spec
 * @typedef {{ file: string, suites?: Suite[], specs?: Spec[] }} Suite of a file, or of a group in it
 */

/**
 * @param {readonly string[]} args
 * @returns {DeepFile[]}
 */
function listPlaywrightFiles(args) {
  /** @type {{ config: { rootDir: string }, suites: Suite[] }} */
  const { config, suites } = jsonOf([...args, "--list", "--reporter=json"], "{")
  return suites.flatMap((suite) => {
    // A `describe` can be imported from another file; the test belongs to the importing one.
    const file = relative(projectFolder, `${config.rootDir}/${suite.file}`)
    const projects = new Set(projectsOf(suite))
    return [...projects].map((project) => ({ runner: /** @type {const} */ ("playwright"), project, file }))
  })
}

/**
 * @param {Suite} suite
 * @returns {string[]}
 */
function projectsOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ tests }) => tests.map(({ projectName }) => projectName))
  return [...own, ...suites.flatMap(projectsOf)]
}

/**
 * @param {string[]} args
 * @param {"[" | "{"} start of the JSON; what the runner prints before it is no part of it
 */
function jsonOf(args, start) {
  const { stdout, stderr, status } = spawnSync(projectNode(), args, {
    cwd: projectFolder,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, NODE_ENV: undefined, NO_COLOR: "1" },
  })
  const json = stdout.slice(stdout.indexOf(start))
  if (status !== 0 || !json) throw new CliError(`Cannot list the deep tests:\n${stderr}${stdout}`)
  return JSON.parse(json)
}
