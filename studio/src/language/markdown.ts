/// The Markdown of the language server as elements: paragraphs, fenced blocks and code between backquotes.
/// Everything else is text, whatever it looks like: no markup can come out of it.
export function shownMarkdown(text: string, name: string): HTMLElement {
  const made = document.createElement("div");
  made.className = name;
  for (const block of blocks(text)) made.append(block.kind === "code" ? preformatted(block.text) : paragraph(block.text));
  return made;
}

interface Block {
  kind: "code" | "words";
  text: string;
}

/// Fenced blocks, and the paragraphs between them.
export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let fence: string | null = null;
  let lines: string[] = [];
  const end = (kind: Block["kind"]) => {
    if (lines.length > 0) found.push({ kind, text: lines.join("\n") });
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark: string | undefined = /^`{3,}/.exec(line)?.[0];
    if (fence === null && mark !== undefined) {
      end("words");
      fence = mark;
    } else if (fence !== null && line.trimEnd() === fence) {
      end("code");
      fence = null;
    } else if (fence === null && line.trim() === "") end("words");
    else lines.push(line);
  }
  end(fence === null ? "words" : "code");
  return found;
}

function preformatted(text: string): HTMLElement {
  const made = document.createElement("pre");
  made.textContent = text;
  return made;
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement("p");
  text.split(/(`[^`]+`)/).forEach((part, place) => {
    if (place % 2 === 0) {
      made.append(part);
      return;
    }
    const code = document.createElement("code");
    code.textContent = part.slice(1, -1);
    made.append(code);
  });
  return made;
}
