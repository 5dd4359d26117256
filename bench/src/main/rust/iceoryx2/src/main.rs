//! iceoryx2's blocking event, a notifier and a listener each way; called as the peers in C are (`round_trip.h`).

use iceoryx2::port::listener::Listener;
use iceoryx2::port::notifier::Notifier;
use iceoryx2::prelude::*;
use std::error::Error;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const LIMIT: Duration = Duration::from_secs(120);
/// How long it takes until the server looks whether its time is over.
const LOOK: Duration = Duration::from_secs(5);
const CALL: EventId = EventId::new(1);
const END: EventId = EventId::new(2);

struct Side {
    others: Listener<ipc::Service>,
    ours: Notifier<ipc::Service>,
}

impl Side {
    /// Whatever iceoryx2 keeps in files it keeps in the peers' own place; what it keeps in shared memory has its name.
    fn at(place: &str, hears: &str, says: &str) -> Outcome<Side> {
        let mut config = Config::default();
        config.global.set_root_path(&Path::new(place.as_bytes())?);
        let name = place.rsplit('/').next().unwrap_or(place);
        config.global.prefix = FileName::new(name.as_bytes())?;
        let node = NodeBuilder::new()
            .config(&config)
            .create::<ipc::Service>()?;
        let service = |name: &str| -> Outcome<_> {
            Ok(node
                .service_builder(&name.try_into()?)
                .event()
                .open_or_create()?)
        };
        Ok(Side {
            others: service(hears)?.listener_builder().create()?,
            ours: service(says)?.notifier_builder().create()?,
        })
    }

    fn say(&self, what: EventId) -> Outcome<()> {
        self.ours.notify_with_custom_event_id(what)?;
        Ok(())
    }
}

fn serve(place: &str) -> Outcome<()> {
    let begin = Instant::now();
    let side = Side::at(place, "requests", "answers")?;
    println!("result,ready,1");
    let mut ended = false;
    while !ended && begin.elapsed() < LIMIT {
        let mut called = false;
        side.others.timed_wait(
            |event| {
                called |= event.id == CALL;
                ended |= event.id == END;
            },
            LOOK,
        )?;
        if called {
            side.say(CALL)?;
        }
    }
    Ok(())
}

fn call(side: &Side) -> Outcome<()> {
    side.say(CALL)?;
    let mut answered = false;
    while !answered {
        side.others
            .blocking_wait(|event| answered |= event.id == CALL)?;
    }
    Ok(())
}

fn measure(place: &str, warm_up: usize, calls: usize) -> Outcome<()> {
    let side = Side::at(place, "answers", "requests")?;
    let mut nanos = vec![1; calls];
    for i in 0..warm_up + calls {
        let begin = Instant::now();
        call(&side)?;
        let took = begin.elapsed().as_nanos();
        if i >= warm_up {
            nanos[i - warm_up] = took;
        }
    }
    side.say(END)?;
    for took in nanos {
        println!("result,call,{took}");
    }
    Ok(())
}

fn main() -> Outcome<()> {
    set_log_level(LogLevel::Error);
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[1..] {
        ["server", place] => serve(place),
        ["client", place, warm_up, calls] => measure(place, warm_up.parse()?, calls.parse()?),
        _ => Err("usage: iceoryx2-peer server PLACE | client PLACE WARM_UP CALLS".into()),
    }
}
