import { existsSync, readdirSync } from "node:fs"
import { preparation } from "../run/run-foreground.mjs"
import { CliError } from "./cli-error.mjs"
import { findProgram, isExecutable } from "./find-program.mjs"

/** Below these folders packages put PostgreSQL's server programs, by version, when they do not put them on PATH. */
const POSTGRESQL_PARENTS = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]

/**
 * The programs that tests and bench need besides Node, by the name of their Debian package.
 * @type {Readonly<Record<string, () => boolean>>}
 */
const isThere = {
  chromium: () => findProgram("chromium") !== null,
  "firefox-esr": () => findProgram("firefox-esr") !== null,
  postgresql: hasPostgresql,
  "nginx-light": hasNginx,
}

/**
 * Debian starts servers of its own when PostgreSQL or nginx is installed, and nobody has asked for any. What keeps them
 * from starting lies under /etc, which is a container's or a CI machine's to change and not a developer's.
 */
const NO_SERVER = "/etc/postgresql-common/createcluster.d/no-main-cluster.conf"
const NO_SERVICE = "/etc/systemd/system/nginx.service"
/** @type {Readonly<Record<string, string>>} */
const withoutService = {
  postgresql: `mkdir -p "$(dirname ${NO_SERVER})" && echo "create_main_cluster = false" > ${NO_SERVER}`,
  "nginx-light": `mkdir -p "$(dirname ${NO_SERVICE})" && ln -sf /dev/null ${NO_SERVICE}`,
}

const isCI = process.env.CI === "true"
const isContainer = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file))
const isRoot = process.getuid?.() === 0

/**
 * Installs the packages that are missing, where that is ours to do: as root, or in CI. Elsewhere a person's machine is
 * left as it is.
 * @param {readonly string[]} packages
 * @returns {Promise<readonly string[]>} those that are still missing, after the one command for them has been printed
 */
export async function installSystemPrograms(packages) {
  const missing = [...new Set(packages)].filter((name) => !isThere[name]?.())
  if (missing.length === 0) return []
  if (!findProgram("apt-get") || !(isRoot || isCI)) {
    console.error(`Missing: ${missing.join(", ")}. To install: ${installCommand(missing)}`)
    return missing
  }
  console.error(`Installing ${missing.join(" ")} with apt-get …`)
  const first = isCI || isContainer ? missing.flatMap((name) => withoutService[name] ?? []) : []
  const install = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq ${missing.join(" ")}`
  const code = await asRoot(["sh", "-ec", [...first, install].join(" && ")])
  if (code !== 0) throw new CliError(`These packages could not be installed: ${missing.join(" ")}`)
  return []
}

/** @param {readonly string[]} packages */
export function installCommand(packages) {
  return findProgram("apt-get")
    ? `sudo apt-get install ${packages.join(" ")}`
    : `the packages ${packages.join(", ")}, with this system's package manager`
}

/** @param {[string, ...string[]]} command */
async function asRoot([program, ...words]) {
  if (isRoot) return preparation(program, words)
  if (findProgram("sudo")) return preparation("sudo", ["-n", program, ...words])
  return 1
}

/** Debian puts it where only root's PATH leads. */
function hasNginx() {
  return findProgram("nginx") !== null || isExecutable("/usr/sbin/nginx")
}

function hasPostgresql() {
  const versions = POSTGRESQL_PARENTS.filter(existsSync).flatMap((parent) =>
    readdirSync(parent).map((version) => `${parent}/${version}`),
  )
  return findProgram("postgres") !== null || versions.some((it) => isExecutable(`${it}/bin/postgres`))
}
