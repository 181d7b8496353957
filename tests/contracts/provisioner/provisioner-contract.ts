import { text } from "node:stream/consumers"
import playlistParser from "iptv-playlist-parser"
import { describe, expect, test } from "vitest"
import type { Service } from "~/domain/services/service"
import { type Provisioner, ProvisioningError, type WorkingLine } from "~/provisioning/provisioner"
import { withoutTerm } from "../../fixtures/without-term"

/** A line that is paid for and not provisioned. Its password needs URL encoding. */
export const newLine: Service = {
  id: "41",
  orderId: "7K3QWZ9MTB",
  customerId: "7",
  productId: "3",
  kind: "plan",
  name: "12 months",
  status: "Pending",
  username: "TV23456789",
  password: "12/34 56&7",
  host: null,
  connections: 2,
  proxyProtection: true,
  cycle: "annually",
  currency: "EUR",
  deviceAddress: "00:1A:79:00:00:07",
  notes: "",
  ...withoutTerm,
}

type ProvisionerCase = {
  provisioner: Provisioner
  /** The same provisioner when it cannot provide a channel list. */
  broken: Provisioner
}

/** Tests that every provisioner passes. */
export function provisionerContract(name: string, { provisioner, broken }: ProvisionerCase) {
  let made = 0

  /** A line of its own, since a panel answers a repeated creation without making the line anew. */
  async function working(): Promise<WorkingLine> {
    made += 1
    const line = { ...newLine, id: `working-${made}`, username: `TV2345678${made}` }
    return { ...line, status: "Active", ...(await provisioner.create(line)) }
  }

  describe(`provisioner ${name} fulfils the provisioner contract`, () => {
    test("a new line has a host with a scheme and without a trailing slash", async () => {
      const { host } = await provisioner.create(newLine)
      expect(host).toMatch(/^https?:\/\/.*[^/]$/)
    })

    test("provisioning a line twice returns the same line", async () => {
      const first = await provisioner.create(newLine)
      expect(await provisioner.create(newLine)).toEqual(first)
    })

    test.each([
      "terminate",
      "extend",
      "suspend",
      "resume",
      "restart",
      "setDeviceAddress",
      "setConnections",
      "setPlan",
    ] as const)("%s succeeds, also when it is repeated", async (what) => {
      const line = await working()
      await provisioner[what](line)
      await expect(provisioner[what](line)).resolves.toBeUndefined()
    })

    test("setCredits succeeds, also when it is repeated", async () => {
      const account = { ...(await working()), kind: "reseller" as const }
      await provisioner.setCredits(account, 50)
      await expect(provisioner.setCredits(account, 50)).resolves.toBeUndefined()
    })

    test.each(["terminate", "suspend"] as const)(
      "%s of a line that was never created succeeds",
      async (what) => {
        await expect(provisioner[what]({ ...newLine, id: "unknown" })).resolves.toBeUndefined()
      },
    )

    test("a suspended line can be extended and plays again once it is resumed", async () => {
      const line = await working()
      await provisioner.suspend(line)
      const renewed = { ...line, paidUntil: Date.UTC(2027, 10, 20, 12) }
      await provisioner.extend(renewed)
      await provisioner.resume(renewed)
      expect(await text(await provisioner.playlist(renewed))).toContain(line.username)
    })

    test("the channel list is a playlist with the line's own streams", async () => {
      const line = await working()
      const { items } = playlistParser.parse(await text(await provisioner.playlist(line)))
      expect(items.length).toBeGreaterThan(0)
      const access = `/${line.username}/12%2F34%2056%267/`
      const strange = items.filter(({ url }) => !url.startsWith(`${line.host}/`) || !url.includes(access))
      expect(strange).toEqual([])
    })

    test("the channel list URL, where one exists, opens this line's list only", async () => {
      const line = await working()
      const address = provisioner.playlistAddress(line)
      if (address === null) return
      expect(address.startsWith(line.host)).toBe(true)
      expect([...new URL(address).searchParams.values()]).toEqual(
        expect.arrayContaining([line.username, line.password]),
      )
    })

    test("an unavailable channel list is an error without the line's credentials", async () => {
      const failure = await broken.playlist(await working()).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProvisioningError)
      expect(allMessages(failure)).not.toMatch(/TV2345678|12(%2F|\/)34/)
    })
  })
}

/** Returns the messages of an error and its causes, as a log contains them. */
export function allMessages(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.stack, JSON.stringify(error), error.cause && allMessages(error.cause)].join("\n")
}
