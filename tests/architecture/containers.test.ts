import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { clientAddress } from "~/server/client-ip.server"
import { installedPackages } from "../../scripts/build/third-party-notices.mjs"
import { serverNodeOptions } from "../../scripts/setup/prepare.mjs"

const dockerfile = readFileSync("Dockerfile", "utf8")
const compose = readFileSync("compose.yaml", "utf8")
const nginx = readFileSync("ops/nginx.conf", "utf8")
const { optionalDependencies, scripts } = JSON.parse(readFileSync("package.json", "utf8"))

test("the image uses the official Node image, in the version that the project is tested with", () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  const [version] = new Set(Object.values(optionalDependencies))
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
  expect(images).toEqual([`node:${version}-slim`, `node:${version}-alpine`])
})

test("all files that the image copies exist and are not excluded by .dockerignore", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  )
  expect(copied).toEqual(["package.json", "package-lock.json", ".npmrc", "."])
  for (const file of copied) expect(existsSync(file), file).toBe(true)
  const ignored = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean)
  for (const needed of ["app", "public", "scripts", "package.json", "vite.config.ts"]) {
    expect(ignored).not.toContain(needed)
  }
  expect(ignored).toEqual(expect.arrayContaining([".env", "data", "node_modules", "build"]))
  for (const [, script = ""] of dockerfile.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(script)
})

test("the image keeps every licence: what is deleted to save space is none", () => {
  const [command = ""] = /find node_modules -type f(?:.*\\\n)*.*-delete/.exec(dockerfile) ?? []
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-image-"))
  const kept = [
    "LICENSE",
    "LICENSE.md",
    "license.md",
    "LICENCE.md",
    "NRO_LICENSE",
    "NOTICE.md",
    "COPYING.md",
    "index.js",
  ]
  const deleted = ["README.md", "index.d.ts", "index.js.map"]
  mkdirSync(join(folder, "node_modules", "one"), { recursive: true })
  for (const name of [...kept, ...deleted]) writeFileSync(join(folder, "node_modules", "one", name), "")
  execFileSync("sh", ["-c", command], { cwd: folder })
  expect(readdirSync(join(folder, "node_modules", "one")).toSorted()).toEqual(kept.toSorted())
  rmSync(folder, { recursive: true })
})

test("the image has a software bill of materials with every package that the server needs, and no other", () => {
  const [, command = ""] =
    /^RUN (npm pkg delete .* && npm sbom .*) > build\/sbom\.json$/m.exec(dockerfile) ?? []
  const folder = pruned()
  const output = execFileSync("sh", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  rmSync(folder, { recursive: true })
  const { bomFormat, components } = JSON.parse(output)
  expect(bomFormat).toBe("CycloneDX")
  const named = components.map((it: { name: string; version: string }) => `${it.name} ${it.version}`)
  expect(named.toSorted()).toEqual(
    installedPackages()
      .map(({ name, version }) => `${name} ${version}`)
      .toSorted(),
  )
})

/** The project after `npm prune --omit=dev --omit=optional`, with the package.json files only. */
function pruned(): string {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-image-"))
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"))
  const paths = Object.keys(packages).filter((path) => !packages[path].dev && !packages[path].optional)
  for (const path of paths) {
    mkdirSync(join(folder, path), { recursive: true })
    copyFileSync(join(path, "package.json"), join(folder, path, "package.json"))
  }
  copyFileSync("package-lock.json", join(folder, "package-lock.json"))
  return folder
}

test("the image runs as an unprivileged user, writes to one folder and has a health check", () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf("FROM "))
  expect(last).toMatch(/^USER node$/m)
  expect(last.indexOf("USER node")).toBeGreaterThan(last.lastIndexOf("RUN "))
  expect(last).toMatch(/^VOLUME \/data$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\/checkout\/api\/live/m)
  const command = ["node", ...serverNodeOptions, "build/server/index.js"].map((it) => JSON.stringify(it))
  expect(last).toContain(`\nCMD [${command.join(", ")}]\n`)
  expect(compose).toContain("read_only: true")
  expect(compose).toContain("cap_drop: [ALL]")
})

test("compose waits for ready instances, while the image reports whether its process is alive", () => {
  const [, shop = ""] = /^x-shop: &shop\n((?: {2}.*\n)+)/m.exec(compose) ?? []
  expect(shop).toMatch(/^ {2}healthcheck:\n {4}test: .*\$\$PORT\/checkout\/api\/health"/m)
  expect(compose.match(/shop-\d: \{ condition: service_healthy \}/g)).toHaveLength(2)
  const retried = /location ~ (\S+) \{\n\s*proxy_pass http:\/\/shop;/.exec(nginx)?.[1] ?? "-"
  for (const check of ["health", "live"]) expect(`/checkout/api/${check}`).toMatch(new RegExp(retried))
})

test("the load balancer listens on one address and forwards to both instances", () => {
  const instances = [...compose.matchAll(/^ {2}(shop-\d):$/gm)].map(([, name]) => name)
  expect(instances).toEqual(["shop-1", "shop-2"])
  const [, port] = /ENV .*PORT=(\d+)/.exec(dockerfile) ?? []
  for (const name of instances) expect(nginx).toContain(`server ${name}:${port} `)
  const published = [...compose.matchAll(/ports: \["\$\{LISTEN:-([\d.]+):(\d+)\}:(\d+)"\]/g)]
  expect(published).toHaveLength(1)
  expect(published[0]?.[1]).toBe("127.0.0.1")
  expect(nginx).toContain(`listen ${published[0]?.[3]};`)
})

test("only the load balancer is a trusted proxy; the network's gateway and the instances are not", () => {
  const [, trusted = ""] = /TRUSTED_PROXIES: \$\{TRUSTED_PROXIES:-([^}]*)\}/.exec(compose) ?? []
  const [, balancer = ""] =
    /^ {2}balancer:\n(?: {4}.*\n)*? {4}networks: .*ipv4_address: ([\d.]+)/m.exec(compose) ?? []
  const [, gateway = ""] = /gateway: ([\d.]+)/.exec(compose) ?? []
  const addressOf = clientAddress(trusted.split(","))
  const forged = "203.0.113.9"
  expect(addressOf(requestFrom(balancer, "93.184.216.34"))).toBe("93.184.216.34")
  expect(addressOf(requestFrom(balancer, `${forged}, ${gateway}`))).toBe(gateway)
  expect(addressOf(requestFrom(gateway, forged))).toBe(gateway)
  for (const [, instance = ""] of compose.matchAll(/ipv4_address: ([\d.]+)/g)) {
    if (instance !== balancer) expect(addressOf(requestFrom(instance, forged))).toBe(instance)
  }
})

function requestFrom(peer: string, forwarded: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: peer })
  const incoming = new IncomingMessage(socket)
  incoming.headers["x-forwarded-for"] = forwarded
  return incoming
}

test("every mounted or copied file exists", () => {
  const mounted = [...compose.matchAll(/"(\.\/[^:"]+):/g)].map(([, file = ""]) => file)
  expect(mounted).toEqual(["./ops/nginx.conf"])
  for (const file of [...mounted, "ops/example.env"]) expect(existsSync(file), file).toBe(true)
})

test("the metrics port is open to the internal network only", () => {
  expect(compose).toMatch(/METRICS_HOST: 0\.0\.0\.0/)
  const [, port = ""] = /METRICS_PORT: "(\d+)"/.exec(compose) ?? []
  expect(compose.split(port)).toHaveLength(2)
  expect(nginx).not.toContain(port)
})

test("the empty variables of ops/example.env are the ones that a shop requires to start", () => {
  const given = Object.fromEntries(
    [...readFileSync("ops/example.env", "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const left = Object.keys(given).filter((name) => given[name] === "" && name !== "POSTGRES_PASSWORD")
  let refusal = ""
  try {
    readConfig(given)
  } catch (error) {
    refusal = String(error)
  }
  expect(left).toHaveLength(3)
  expect(refusal).toContain("SESSION_SECRETS")
  expect(refusal).toContain("OFFSHORE_URL")
  const complete = {
    ...given,
    SESSION_SECRETS: "x".repeat(32),
    OFFSHORE_URL: "https://pay.example",
    OFFSHORE_CALLBACK_SECRET: "whsec_eA==",
  }
  expect(readConfig(complete)).toMatchObject({ sandbox: false, loopback: false })
})

test("nginx writes its pid and temporary files to /tmp only", () => {
  const remaining = [...nginx.matchAll(/^\s*(?:pid|\w+_temp_path) (\S+);/gm)].map(([, path = ""]) => path)
  expect(remaining).toHaveLength(6)
  for (const path of remaining) expect(dirname(path)).toBe("/tmp")
})
