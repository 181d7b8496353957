import { existsSync, readdirSync } from "node:fs"
import { preparation } from "../run/supervise.mjs"
import { CliError } from "./cli-error.mjs"
import { findChromium } from "./find-chromium.mjs"
import { findProgram, isExecutable } from "./find-program.mjs"

/**
 * @typedef {object} Machine what is known of the machine, and how a program is run on it
 * @property {boolean} isRoot
 * @property {boolean} isCI
 * @property {boolean} isContainer
 * @property {(name: string) => boolean} hasPackage
 * @property {(name: string) => boolean} hasProgram
 * @property {(program: string, args: string[]) => Promise<number>} run its exit code
 * @property {(line: string) => void} print
 */

/** Parent folders of PostgreSQL's server programs, by version, in packages that do not put them on PATH. */
const POSTGRESQL_PARENTS = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]

/**
 * Programs besides Node that tests and benchmarks need, by Debian package.
 * @type {Readonly<Record<string, () => boolean>>}
 */
const programs = {
  "chromium-headless-shell": () => findChromium() !== null,
  chromium: () => findProgram("chromium") !== null,
  "firefox-esr": () => findProgram("firefox-esr") !== null,
  "webkit2gtk-driver": () => findProgram("WebKitWebDriver") !== null,
  xvfb: () => findProgram("Xvfb") !== null,
  postgresql: hasPostgresql,
  "nginx-light": () => isInAdminFolder("nginx"),
  pgbouncer: () => isInAdminFolder("pgbouncer"),
}

/**
 * Whether the programs of a Debian package are installed, from any source.
 * @param {string} name
 */
export const isInstalled = (name) => programs[name]?.() ?? false

/**
 * Debian starts PostgreSQL, PgBouncer and nginx after installation, but the tests start their own servers. The files under /etc
 * that prevent it are written in containers and in CI only, never on a developer's machine.
 */
const NO_SERVER = "/etc/postgresql-common/createcluster.d/no-main-cluster.conf"
const NO_SERVICE = "/etc/systemd/system/nginx.service"
const NO_POOLER = "/etc/systemd/system/pgbouncer.service"
/** @type {Readonly<Record<string, string>>} */
const withoutService = {
  postgresql: `mkdir -p "$(dirname ${NO_SERVER})" && echo "create_main_cluster = false" > ${NO_SERVER}`,
  "nginx-light": `mkdir -p "$(dirname ${NO_SERVICE})" && ln -sf /dev/null ${NO_SERVICE}`,
  pgbouncer: `mkdir -p "$(dirname ${NO_POOLER})" && ln -sf /dev/null ${NO_POOLER}`,
}

/** @type {Machine} */
const thisMachine = {
  isRoot: process.getuid?.() === 0,
  isCI: process.env.CI === "true",
  isContainer: ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file)),
  hasPackage: isInstalled,
  hasProgram: (name) => findProgram(name) !== null,
  run: preparation,
  print: (line) => console.error(line),
}

/**
 * Installs missing packages with apt-get as root or in CI. Otherwise changes nothing and prints the install command.
 * Throws a `CliError` if apt-get fails.
 * @param {readonly string[]} packages
 * @param {Machine} [machine]
 * @returns {Promise<readonly string[]>} those that are still missing
 */
export async function installSystemPrograms(packages, machine = thisMachine) {
  const missing = [...new Set(packages)].filter((name) => !machine.hasPackage(name))
  if (missing.length === 0) return []
  if (!machine.hasProgram("apt-get") || !(machine.isRoot || machine.isCI)) {
    machine.print(`Missing: ${missing.join(", ")}. To install: ${installCommand(missing, machine)}`)
    return missing
  }
  machine.print(`Installing ${missing.join(" ")} with apt-get …`)
  const mayChangeEtc = machine.isCI || machine.isContainer
  const preparations = mayChangeEtc ? missing.flatMap((name) => withoutService[name] ?? []) : []
  const install = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq ${missing.join(" ")}`
  const code = await runAsRoot("sh", ["-ec", [...preparations, install].join(" && ")], machine)
  if (code !== 0) throw new CliError(`These packages could not be installed: ${missing.join(" ")}`)
  return []
}

/**
 * Returns the single command that installs the packages.
 * @param {readonly string[]} packages
 * @param {Pick<Machine, "hasProgram">} [machine]
 */
export function installCommand(packages, { hasProgram } = thisMachine) {
  return hasProgram("apt-get")
    ? `sudo apt-get install ${packages.join(" ")}`
    : `the packages ${packages.join(", ")}, with this system's package manager`
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Machine} machine
 */
async function runAsRoot(program, args, { isRoot, hasProgram, run }) {
  if (isRoot) return run(program, args)
  if (hasProgram("sudo")) return run("sudo", ["-n", program, ...args])
  return 1
}

/**
 * Debian installs servers in a folder that is on root's PATH only.
 * @param {string} name
 */
function isInAdminFolder(name) {
  return findProgram(name) !== null || isExecutable(`/usr/sbin/${name}`)
}

function hasPostgresql() {
  const versions = POSTGRESQL_PARENTS.filter(existsSync).flatMap((parent) =>
    readdirSync(parent).map((version) => `${parent}/${version}`),
  )
  return findProgram("postgres") !== null || versions.some((it) => isExecutable(`${it}/bin/postgres`))
}
