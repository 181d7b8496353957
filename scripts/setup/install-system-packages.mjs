import { existsSync, readdirSync } from "node:fs"
import { preparation } from "../run/run-foreground.mjs"
import { Problem } from "./cli-error.mjs"
import { findProgram, isExecutable } from "./find-program.mjs"

/** Below these folders packages put PostgreSQL's server programs, by version, when they do not put them on PATH. */
const POSTGRESQL_PARENTS = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]

/** What the tests need beside Node, by the name of its Debian package. */
const needed = [
  { name: "chromium", isThere: () => findProgram("chromium") !== null },
  { name: "firefox-esr", isThere: () => findProgram("firefox-esr") !== null },
  { name: "postgresql", isThere: () => hasPostgresql() },
  { name: "nginx-light", isThere: () => hasNginx() },
]

/** Debian starts servers of its own when PostgreSQL or nginx is installed; nobody has asked for any. */
const NO_SERVER = "/etc/postgresql-common/createcluster.d/no-main-cluster.conf"
const NO_SERVICE = "/etc/systemd/system/nginx.service"
/** @type {Readonly<Record<string, string>>} */
const prepare = {
  postgresql: `mkdir -p "$(dirname ${NO_SERVER})" && echo "create_main_cluster = false" > ${NO_SERVER}`,
  "nginx-light": `mkdir -p "$(dirname ${NO_SERVICE})" && ln -sf /dev/null ${NO_SERVICE}`,
}

/** Installs Chromium, Firefox, PostgreSQL's programs and nginx where they are missing and can be. Throws a `Problem` in words. */
export async function installSystemPrograms() {
  const missing = needed.filter(({ isThere }) => !isThere()).map(({ name }) => name)
  if (missing.length === 0) return
  const list = missing.join(" ")
  if (!findProgram("apt-get")) {
    throw new Problem(`The tests need the programs of these packages on PATH; please install them: ${list}`)
  }
  console.error(`Installing ${list} with apt-get …`)
  const packages = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq ${list}`
  const script = [...missing.flatMap((name) => prepare[name] ?? []), packages].join(" && ")
  const code = await asRoot(["sh", "-ec", script])
  if (code !== 0) throw new Problem(`These packages could not be installed; please install them: ${list}`)
}

/** @param {[string, ...string[]]} command */
async function asRoot([program, ...words]) {
  if (process.getuid?.() === 0) return preparation(program, words)
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
