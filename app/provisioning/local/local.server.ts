import { readFile } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { textParts } from "~/domain/pieces-of-text"
import { type Provisioner, ProvisioningError, type WorkingLine } from "~/provisioning/provisioner"
import demonstration from "./demo-channels.m3u?raw"

type LocalSettings = {
  /** Where players connect, with scheme. */
  streamUrl: string
  /** Where resellers work, with scheme. */
  panelUrl: string
  /** The operator's channel list; the demonstration's when none is given. */
  channelsFile: string | undefined
}

/**
 * Lines for operators without a panel: the credentials of the order, a host, and a channel list from a file. Such a
 * line exists in the shop's books and nowhere else, so there is nobody to tell of a change, and nothing here ends
 * or cuts a stream: whoever streams has to look into the books.
 */
export function localProvisioner({ streamUrl, panelUrl, channelsFile }: LocalSettings): Provisioner {
  return {
    create: async ({ kind }) => ({ host: kind === "reseller" ? panelUrl : streamUrl }),
    terminate: noted,
    restart: noted,
    setDeviceAddress: noted,
    setConnections: noted,
    playlist: async (line) => fillIn(await channels(channelsFile), line),
    playlistAddress: () => null,
  }
}

/** The books have it already, or will in a moment. */
const noted = () => Promise.resolve()

async function channels(file: string | undefined): Promise<string> {
  if (file === undefined) return demonstration
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new ProvisioningError("the channel file cannot be read", { cause })
  }
}

/** Puts a line's access into a channel list, which may have tens of millions of characters. */
async function fillIn(list: string, line: WorkingLine): Promise<string> {
  const filled: string[] = []
  for (const part of textParts(list)) {
    filled.push(fillInPart(part, line))
    await setImmediate()
  }
  return filled.join("")
}

/** `{host}` as it is, user and password fit for an address. */
function fillInPart(part: string, { host, username, password }: WorkingLine): string {
  return part
    .replaceAll("{host}", host)
    .replaceAll("{username}", encodeURIComponent(username))
    .replaceAll("{password}", encodeURIComponent(password))
}
