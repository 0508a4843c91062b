"""The same as chat.py in the manner of LangChain: tools that are bound to a model, and a loop that invokes both.

With LangChain installed its chat models take the place of ChatModel: bind_tools, invoke and tool_calls are theirs.
"""

import json
import sys
from types import SimpleNamespace

from agentnet import Client
from chat import RULES, ask


class ChatModel:
    def __init__(self, url, model, tools=()):
        self.url, self.model, self.tools = url, model, list(tools)

    def bind_tools(self, tools):
        return ChatModel(self.url, self.model, tools)

    def invoke(self, messages):
        raw = ask(self.url, {"model": self.model, "messages": [getattr(m, "raw", m) for m in messages], "tools": self.tools})
        calls = [{"id": c["id"], "name": c["function"]["name"], "args": json.loads(c["function"]["arguments"] or "{}")}
                 for c in raw.get("tool_calls") or ()]
        return SimpleNamespace(content=raw.get("content"), tool_calls=calls, raw=raw)


def run(llm, net, wish, turns=20):
    llm, messages = llm.bind_tools(net.tool_definitions()["openai"]), [{"role": "system", "content": RULES}, {"role": "user", "content": wish}]
    for _ in range(turns):
        messages.append(reply := llm.invoke(messages))
        if not reply.tool_calls:
            return reply.content
        messages += [{"role": "tool", "tool_call_id": c["id"], "content": net.call_tool(c["name"], c["args"])} for c in reply.tool_calls]
    return f"stopped after {turns} turns"


if __name__ == "__main__":
    print(run(ChatModel(*sys.argv[3:5]), Client(sys.argv[1], token_file=sys.argv[2]), sys.argv[5]))
