%% SPDX-License-Identifier: Apache-2.0
%% A load in the style of the paper's `big`: processes that all send a message to each other and wait for as many answers.
%%   erl -s all_to_all main VM GATE PROCESSES ROUNDS
%% Prints `VM ready`, begins when the file GATE is there, and prints `VM done TIME_NS CPU_NS`: when it was done, since 1970, and
%% what the whole VM ran meanwhile; before that how far it had come when, each quarter of a second: `VM progress TIME_NS ANSWERS`, how
%% many answers had come.
-module(all_to_all).
-export([main/1]).

main(Words) ->
    [VM, Gate, Processes, Rounds] = [atom_to_list(Word) || Word <- Words],
    Answers = counters:new(1, [write_concurrency]),
    _ = cpu_ns(),
    exchange(2, Answers), % the code is to be there: where files come slowly, it is not their time that is measured
    io:format("~s ready~n", [VM]),
    await(Gate),
    Ran = cpu_ns(),
    {Watch, Watching} = spawn_opt(fun() -> watch(Answers, []) end, [monitor, {priority, max}]),
    [exchange(list_to_integer(Processes), Answers) || _ <- lists:seq(1, list_to_integer(Rounds))],
    Watch ! done,
    Samples = receive {'DOWN', Watching, process, Watch, Seen} -> Seen end,
    Used = cpu_ns() - Ran,
    io:put_chars([io_lib:format("~s progress ~b ~b~n", [VM, Time, Count]) || {Time, Count} <- Samples]),
    {Done, _} = lists:last(Samples),
    io:format("~s done ~b ~b~n", [VM, Done, Used]),
    init:stop().

%% Ends with what it has seen. Seldom, since each time it wakes is a switch; of files it reads none, for which it would have to wait.
watch(Answers, Seen) ->
    Now = [{os:system_time(nanosecond), counters:get(Answers, 1)} | Seen],
    receive
        done -> exit(lists:reverse(Now))
    after 250 -> watch(Answers, Now)
    end.

await(Gate) ->
    case filelib:is_file(Gate) of
        true -> ok;
        false -> timer:sleep(10), await(Gate)
    end.

%% What all threads of this process have run, as the scheduler counts it: samples at ticks would favour who runs between them.
cpu_ns() ->
    lists:sum([ran_ns(File) || File <- filelib:wildcard("/proc/self/task/*/schedstat")]).

ran_ns(File) ->
    case file:read_file(File) of
        {ok, Line} -> binary_to_integer(hd(binary:split(Line, <<" ">>)));
        {error, _} -> 0 % it has ended
    end.

exchange(Processes, Answers) ->
    Parent = self(),
    All = [spawn_link(fun() -> member(Parent, Answers) end) || _ <- lists:seq(1, Processes)],
    [Member ! {all, All} || Member <- All],
    [receive {answered, Member} -> ok end || Member <- All],
    [Member ! stop || Member <- All].

member(Parent, Answers) ->
    receive
        {all, All} ->
            send(All),
            talk(length(All), Answers),
            Parent ! {answered, self()},
            answer()
    end.

%% Whoever has sent one already is answered in between.
send([]) -> ok;
send([Other | Others]) ->
    Other ! {ping, self()},
    receive
        {ping, Asking} -> Asking ! pong
    after 0 -> ok
    end,
    send(Others).

%% Until so many answers have come.
talk(0, _) -> ok;
talk(Open, Answers) ->
    receive
        {ping, Other} ->
            Other ! pong,
            talk(Open, Answers);
        pong ->
            counters:add(Answers, 1, 1),
            talk(Open - 1, Answers)
    end.

%% Others may not have theirs yet.
answer() ->
    receive
        {ping, Other} -> Other ! pong, answer();
        stop -> ok
    end.
