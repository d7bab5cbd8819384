// Written by `curate install`; `curate uninstall opencode` removes it.
// Asks the hook of curate what is remembered for each prompt, and tells it when a session rests. Nothing else.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const HOOK = ["curate-hook"];
const PATIENCE_MS = 3000;

/**
 * @typedef {{ type: string, text?: string, synthetic?: boolean, id?: string, sessionID?: string, messageID?: string }} Part
 * @typedef {{ type: string, properties?: { sessionID?: string, info?: { id?: string, parentID?: string } } }} BusEvent
 * @typedef {{ sessionID: string, messageID?: string }} MessageInput
 * @typedef {{ message: { id: string }, parts: Part[] }} MessageOutput
 */

/** Where OpenCode keeps its sessions. */
function database() {
  const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  return resolve(data, "opencode", process.env.OPENCODE_DB || "opencode.db");
}

/**
 * Ask the hook; an empty text when it fails or takes too long.
 * @param {string} event
 * @param {Record<string, unknown>} payload
 * @returns {Promise<string>}
 */
function ask(event, payload) {
  return new Promise((answer) => {
    try {
      const child = spawn(HOOK[0], [...HOOK.slice(1), event], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      /** @type {Buffer[]} */
      const chunks = [];
      const timer = setTimeout(() => { child.kill(); answer(""); }, PATIENCE_MS);
      child.on("error", () => { clearTimeout(timer); answer(""); });
      child.on("close", () => { clearTimeout(timer); answer(Buffer.concat(chunks).toString("utf8").trim()); });
      child.stdout.on("data", (chunk) => chunks.push(chunk));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(payload));
    } catch {
      answer("");
    }
  });
}

/** @param {Part[]} parts */
function typed(parts) {
  const text = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text ?? "").join("\n").trim();
  // `opencode run` keeps quotes around a prompt that has spaces in it.
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

let last = 0;

/** A part id that sorts after those before it. */
function partId() {
  last = Math.max(last + 1, Date.now());
  return `prt_curate${last.toString(36).padStart(10, "0")}`;
}

/** @param {{ directory: string }} input */
async function hooks({ directory }) {
  /** @type {Set<string>} Sessions of sub-agents: no person speaks in them. */
  const inner = new Set();
  return {
    /** @param {MessageInput} input @param {MessageOutput} output */
    "chat.message": async (input, output) => {
      const prompt = typed(output.parts);
      if (!prompt || inner.has(input.sessionID)) return;
      const text = await ask("chat.message", { prompt, cwd: directory, session_id: input.sessionID });
      try {
        for (const part of text ? /** @type {{ parts: Part[] }} */ (JSON.parse(text)).parts : []) {
          output.parts.push({ ...part, id: partId(), sessionID: input.sessionID, messageID: output.message.id });
        }
      } catch {
        // Not what the hook says: the turn goes on without.
      }
    },
    /** @param {{ event: BusEvent }} input */
    event: async ({ event }) => {
      const info = event.properties?.info;
      if (event.type === "session.created" && info?.parentID && info.id) inner.add(info.id);
      if (event.type !== "session.idle" || inner.has(event.properties?.sessionID ?? "")) return;
      await ask("session.idle", { cwd: directory, session_id: event.properties?.sessionID, transcript_path: database() });
    },
  };
}

export default { id: "curate-memory", server: hooks, setup: async () => {} };
