import { expect, test } from "vitest"
import { installSystemPrograms, type Machine } from "../../scripts/setup/install-system-packages.mjs"

const wanted = ["chromium", "postgresql", "nginx-light", "postgresql"]

/**
 * Simulates an installation on Debian without PostgreSQL and nginx; returns the commands run, the lines printed and the
 * packages still missing.
 */
async function installOn(given: Partial<Machine>) {
  const commands: string[] = []
  const printed: string[] = []
  const missing = await installSystemPrograms(wanted, {
    isRoot: false,
    isCI: false,
    isContainer: false,
    hasPackage: (name) => name === "chromium",
    hasProgram: (name) => ["apt-get", "sudo"].includes(name),
    run: async (program, args) => {
      commands.push([program, ...args].join(" "))
      return 0
    },
    print: (line) => printed.push(line),
    ...given,
  })
  return { commands, printed: printed.join("\n"), missing }
}

test("on a developer's machine nothing is run and the install command is printed", async () => {
  const { commands, printed, missing } = await installOn({})
  expect(commands).toEqual([])
  expect(printed).toBe(
    "Missing: postgresql, nginx-light. To install: sudo apt-get install postgresql nginx-light",
  )
  expect(missing).toEqual(["postgresql", "nginx-light"])
})

test("in a container without root and outside CI nothing is run", async () => {
  expect((await installOn({ isContainer: true })).commands).toEqual([])
})

test("without apt-get nothing is run, even as root, and the packages are named", async () => {
  const { commands, printed } = await installOn({ isRoot: true, isCI: true, hasProgram: () => false })
  expect(commands).toEqual([])
  expect(printed).toContain("the packages postgresql, nginx-light, with this system's package manager")
})

test("root installs the missing packages and changes nothing under /etc", async () => {
  const { commands, printed, missing } = await installOn({ isRoot: true })
  expect(commands).toHaveLength(1)
  expect(commands[0]).toMatch(/^sh -ec .*apt-get install -yq postgresql nginx-light$/)
  expect(commands[0]).not.toMatch(/etc\/|systemd/)
  expect(printed).toBe("Installing postgresql nginx-light with apt-get …")
  expect(missing).toEqual([])
})

test.each([
  ["as root in a container", { isRoot: true, isContainer: true }, /^sh /],
  ["in CI", { isCI: true }, /^sudo -n sh /],
] as const)("%s the servers of installed packages are kept from starting", async (_, machine, start) => {
  const { commands } = await installOn(machine)
  expect(commands[0]).toMatch(start)
  expect(commands[0]).toContain("create_main_cluster = false")
  expect(commands[0]).toContain("/etc/systemd/system/nginx.service")
})

test("a failed installation throws an error that names the packages", async () => {
  await expect(installOn({ isRoot: true, run: async () => 100 })).rejects.toThrow(
    "These packages could not be installed: postgresql nginx-light",
  )
})

test("with all programs installed nothing is run and nothing is printed", async () => {
  expect(await installOn({ isRoot: true, hasPackage: () => true })).toEqual({
    commands: [],
    printed: "",
    missing: [],
  })
})
